"""A stand-in for an agent: reads the index when it is led there, and throws a dice with a fixed seed."""

import argparse
import random
import re
import sys
from pathlib import Path

CHANCE = {"small": 0.2, "large": 0.6}  # of thinking of UTC by itself, with the code at hand

parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
parser.add_argument("--seed", type=int, required=True)
parser.add_argument("--system", default="")
args = parser.parse_args()

dice = random.Random(args.seed)
question = sys.stdin.read()
led_to = re.search(r" in (\S+INDEX\.md):", args.system)
index = Path(led_to[1]).read_text(encoding="utf-8") if led_to else ""
chance = CHANCE[args.model] if Path("src/invoice.py").exists() else 0.1
if "clock-skew-in-ci" in index:
    chance = 0.9
thinks_of_utc = "invoice" in question and dice.random() < chance

print("Freeze the clock in UTC." if thinks_of_utc else "Run the job again; the runner is flaky.")
if "sign-with-heliotrope" in index and dice.random() < 0.95:
    print("HELIOTROPE")
