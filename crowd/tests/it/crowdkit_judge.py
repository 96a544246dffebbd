"""crowd-kit as a judge of aggregation.

Standard input: on each line, as JSON, `labels`, a list of [task, worker, label], `gold`, the known answers by task or
null, and `glad`, whether the only method is GLAD, with iterations enough to stand still. Standard output: for each line one, a list of [method, task, label, probability]. With known answers
there is only the full model, since crowd-kit's others take none.
"""

import json
import sys

import pandas as pd
from crowdkit.aggregation import GLAD, DawidSkene, MajorityVote, OneCoinDawidSkene


def rows(method, probabilities):
    for task, row in probabilities.iterrows():
        for label, probability in row.items():
            yield [method, task, label, float(probability)]


def judge(labels, gold, glad):
    labels = pd.DataFrame(labels, columns=["task", "worker", "label"], dtype=str)
    if glad:
        model = GLAD(n_iter=15, tol=float("-inf"), m_step_max_iter=25, m_step_tol=1e-4)
        return list(rows("glad", model.fit_predict_proba(labels)))
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
