"""Build settings: what a build or a profile's repository turns on or off."""

SettingInfo = provider("The value of a setting.", fields = ["value"])

def _setting_impl(ctx):
    return [SettingInfo(value = ctx.build_setting_value)]

bool_setting = rule(
    implementation = _setting_impl,
    build_setting = config.bool(flag = True),
    doc = "True or False.",
)

string_setting = rule(
    implementation = _setting_impl,
    build_setting = config.string(flag = True),
    doc = "A text.",
)
