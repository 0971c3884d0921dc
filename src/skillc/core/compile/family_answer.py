"""A family scorer's answer: one of the offered families, or none. It assigns nothing; a person accepts it.

Paper: 5.1. Not here: the calibrated score that assigns by itself (core.trace.family_score).
"""

from skillc.core.compile.answer_text import AnswerProblem, missing_keys, parse_answer
from skillc.core.compile.roles import FamilyGuess, FamilyQuestion


def read_family(text: str, question: FamilyQuestion) -> FamilyGuess | AnswerProblem:
    """Returns the guess in an answer; an alias that was not offered is no family."""
    value = parse_answer(text)
    if isinstance(value, AnswerProblem):
        return value
    if wrong := missing_keys(value, ("family", "confidence")):
        return AnswerProblem(reason=wrong)
    family, confidence = value["family"], value["confidence"]
    if not isinstance(family, str) or isinstance(confidence, bool) or not isinstance(confidence, int | float):
        return AnswerProblem(reason="a field of the answer has another type than was asked for")
    if not 0 <= confidence <= 1:
        return AnswerProblem(reason="the field 'confidence' is not between 0 and 1")
    offered = {f"f{number}": slug for number, (slug, _) in enumerate(question.families, 1)}
    return FamilyGuess(task_family=offered.get(family), confidence=float(confidence))
