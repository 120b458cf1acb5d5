"""Build settings: flags of the command line, and constants, which nothing changes."""

SettingInfo = provider("The value of a setting.", fields = ["value"])

def _setting_impl(ctx):
    return [SettingInfo(value = ctx.build_setting_value)]

bool_flag = rule(
    implementation = _setting_impl,
    build_setting = config.bool(flag = True),
    doc = "A flag that is True or False.",
)

string_flag = rule(
    implementation = _setting_impl,
    build_setting = config.string(flag = True),
    doc = "A flag with a text.",
)

constant = rule(
    implementation = _setting_impl,
    build_setting = config.bool(),
    doc = "True or False, for conditions.",
)
