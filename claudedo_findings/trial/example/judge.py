"""A stand-in for a judge: answers one question with yes or no on its last line."""

import sys

question, answer = sys.argv[1], sys.stdin.read()
print(f"The question was: {question}")
print("yes" if "run the job again" in answer.lower() else "no")
