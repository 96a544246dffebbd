"""crowd-kit as a judge of aggregation.

Standard input: on each line, as JSON, `labels`, a list of [task, worker, label], `gold`, the known answers by task or
null. Standard output: for each line one, a list of [method, task, label, probability]. With known answers there is only
the full model, since crowd-kit's others take none.
"""

import json
import sys

import pandas as pd
from crowdkit.aggregation import DawidSkene, MajorityVote, OneCoinDawidSkene


def rows(method, probabilities):
    for task, row in probabilities.iterrows():
        for label, probability in row.items():
            yield [method, task, label, float(probability)]


def judge(labels, gold):
    labels = pd.DataFrame(labels, columns=["task", "worker", "label"], dtype=str)
    if gold is not None:
        known = pd.Series(gold, dtype=str).rename_axis("task")
        return list(rows("dawid-skene", DawidSkene().fit_predict_proba(labels, known)))
    return [
        *rows("majority", MajorityVote().fit_predict_proba(labels)),
        *rows("one-coin", OneCoinDawidSkene().fit_predict_proba(labels)),
        *rows("dawid-skene", DawidSkene().fit_predict_proba(labels)),
    ]


for line in sys.stdin:
    print(json.dumps(judge(**json.loads(line))))
