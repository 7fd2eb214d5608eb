"""Word lists: what every text has and what words end in, in the languages that the search knows something of."""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Endings of English and German, and of Russian: "fails", "failed" and "failing" are one word. No grammar, but what is
# left, four letters (Cyrillic three) or more, is the same for most forms of a word and for few others.
LATIN = _set(
    """
        ations enings erings ating ation ators ening ering ungen ated ates ator edly ened ered ings ions ying ate
        eds ems ens ern ers ied ies ing ion ung ed em en er es ly e s y
    """
)
CYRILLIC = _set(
    """
        ается алась ались алось аться аются еется еться еются иется илась ились илось иться иются уется уться уются
        яется ялась ялись ялось яться яются алсь ался атся ется илсь ился ится иями утся ялсь ялся ятся ает ала али
        ало ами ать ают его еет ему еть ешь еют иет ила или ило ими иму ить иют ого оми ому ует уть уют ыми ыму яет
        яла яли яло ями ять яют ал ам ат ах ая ев ее еи ем ет ие ии ил им ит их ию ия ов ое ои ом сь ся ть ут ую ые
        ыи ым ых ют юю ял ям ят ях яя а е и о у ы ь ю я
    """
)
LONGEST = 6  # letters of an ending

# Words that say nothing about what a text is about: English, German, Russian, and Chinese pairs.
EMPTY = _set(
    """
        a about after all also an and any are as at be because been before but by can cannot could did do does doing
        for from get gets had has have how i if in instead into is it its just let like me more my no nor not of off
        on only or other our out over own same should so some than that the their them then there these they this
        those through to too up us very want was we were what when where which while who why will with without would
        you your aber alle als am auch auf aus bei beim bis da damit dann das dass dem den denn der des die dies
        diese dieser doch durch ein eine einem einen einer eines er es fuer für hat haben ich ihr im ist ja jede
        jeder kann kein keine man mehr mit nach nicht noch nur ob oder ohne schon sein seit sich sie sind soll statt
        über ueber um und uns unter vom von vor war warum weil wenn wer werden wie wieder wir wird wo wurde zu zum
        zur а без бы был была были было быть в вам вас во вот все где даже для до его если ее есть еще же за здесь и
        из или им их к как когда ли мы на над не нет ни но о об от по под при про с со так также там то того тоже
        только у уже чем что чтобы эта эти это этого этот я
        没有 不会 不能 一个 这个 可以 因为 如果 时候 之后 导致 必须 需要 使用 怎么 什么 为何
    """
)
