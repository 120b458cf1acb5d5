"""What is wrong with a text that is not JSON: json.decode() stops the build without naming the file."""

_SPACE = " \t\r\n"

def _end_of_string(text, start):
    """The index behind a string that starts here; 0, if it does not end in its line."""
    escaped = False
    for i in range(start + 1, len(text)):
        if escaped:
            escaped = False
        elif text[i] == "\\":
            escaped = True
        elif text[i] == "\"":
            return i + 1
        elif text[i] == "\n":
            return 0
    return 0

def _end_of_word(text, start):
    """The index behind a number, true, false or null that starts here; 0, if it is none of these."""
    end = start
    for i in range(start, len(text)):
        if text[i] in _SPACE + ",]}":
            break
        end = i + 1
    word = text[start:end]
    is_number = word.lstrip("-")[:1].isdigit() and not word.strip("0123456789+-.eE")
    return end if is_number or word in ["true", "false", "null"] else 0

def _missing(text, i, expected):
    return "line %d: %s is missing" % (text[:i].count("\n") + 1, expected)

def json_fault(text):
    """Finds the first fault of the syntax.

    Args:
      text: which should be JSON.
    Returns:
      "line 3: a comma or } is missing", or "".
    """
    closers = []  # of the objects and arrays that are open
    expected = "a value"
    end = 0
    for i in range(len(text)):
        char = text[i]
        if i < end or char in _SPACE:
            continue
        end = i + 1
        if closers and char == closers[-1] and expected not in ["a key", "a colon", "a value"]:
            closers.pop()
        elif expected.startswith("a key"):
            end = _end_of_string(text, i) if char == "\"" else 0
            if not end:
                return _missing(text, i, expected)
            expected = "a colon"
            continue
        elif expected == "a colon":
            if char != ":":
                return _missing(text, i, expected)
            expected = "a value"
            continue
        elif expected.startswith("a value"):
            if char in "{[":
                closers.append("}" if char == "{" else "]")
                expected = "a key or }" if char == "{" else "a value or ]"
                continue
            end = _end_of_string(text, i) if char == "\"" else _end_of_word(text, i)
            if not end:
                return _missing(text, i, expected)
        elif char == "," and closers:
            expected = "a key" if closers[-1] == "}" else "a value"
            continue
        else:
            return _missing(text, i, expected)
        expected = "a comma or " + closers[-1] if closers else "the end"
    return "" if expected == "the end" else "it ends too early: %s is missing" % expected
