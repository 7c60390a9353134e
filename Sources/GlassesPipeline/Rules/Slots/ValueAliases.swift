/// Other names of values that schemas abbreviate: ISO codes, units and currencies.
enum ValueAliases {
    private static let table: [String: Set<String>] = {
        let lines = [
            "c celsius centigrade", "f fahrenheit", "k kelvin", "km kilometer kilometre kilometers kilometres",
            "m meter metre meters metres", "mi mile miles",
            "cm centimeter centimetre centimeters", "mm millimeter millimeters", "ft foot feet", "in inch inches",
            "yd yard yards", "kg kilogram kilograms kilo kilos kilogramme",
            "g gram grams", "mg milligram milligrams", "lb pound pounds lbs", "oz ounce ounces",
            "l liter litre liters litres", "ml milliliter milliliters", "gal gallon gallons", "cup cups",
            "tbsp tablespoon tablespoons", "tsp teaspoon teaspoons", "mph", "kmh kph",
            "usd dollar dollars bucks buck $", "eur euro euros €", "gbp pound pounds sterling quid £",
            "jpy yen", "chf franc francs", "cny yuan renminbi", "inr rupee rupees", "cad", "aud", "krw won",
            "mxn peso pesos", "sek krona", "btc bitcoin",
            "en english", "es spanish", "fr french", "de german", "it italian", "pt portuguese", "nl dutch",
            "ja japanese jp", "zh chinese mandarin", "ko korean", "ru russian", "ar arabic",
            "hi hindi", "pl polish", "tr turkish", "sv swedish", "el greek",
            "bike bicycle cycling biking cycle bicycling", "car driving drive", "walk walking foot",
            "transit bus train subway public", "automobile car",
            "urgent high important", "high urgent important top", "low unimportant minor",
            "medium normal moderate regular average", "normal medium regular standard",
            "large big", "big large", "small little tiny", "fast quick rapid speedy", "slow slowly", "quiet silent",
            "silent quiet mute",
            "brighter up increase raise brighten turn_up",
            "darker dimmer down decrease lower reduce dim darken turn_down",
            "dimmer darker down decrease lower reduce dim darken turn_down",
            "warmer up increase raise hotter turn_up heat", "cooler down decrease lower reduce colder turn_down cool",
            "faster up increase quicker", "slower down decrease",
            "up increase raise louder higher brighter warmer boost turn_up crank_up pump_up bring_up crank more",
            "down decrease lower reduce quieter softer dimmer cooler turn_down bring_down less dim",
            "increase up raise louder higher brighter warmer boost turn_up crank_up",
            "decrease down lower reduce quieter softer dimmer cooler turn_down bring_down",
            "raise up increase louder higher turn_up", "lower down decrease reduce quieter softer turn_down",
            "louder up turn_up increase raise", "quieter down turn_down decrease lower softer",
            "softer quieter down turn_down",
            "on turn_on switch_on enable activate power_on start put_on flip_on",
            "off turn_off switch_off disable deactivate power_off shut_off kill shut_down flip_off turn_out",
            "enable on turn_on activate", "disable off turn_off deactivate", "start begin resume launch turn_on",
            "stop end halt quit finish cancel turn_off",
            "pause hold suspend", "play resume start unpause continue",
            "resume continue unpause play carry_on keep_going", "next skip forward following",
            "previous back last prior before rewind", "skip next forward",
            "back previous rewind", "rewind back", "forward ahead", "lock secure", "unlock", "open raise",
            "close shut lower", "mute silence", "unmute", "heads", "tails", "left", "right",
            "heat heating warm", "cool cooling cold ac", "heating heat warm", "cooling cool", "daily day every_day",
            "weekly week every_week", "monthly month", "yearly annually year", "hourly hour", "today", "tomorrow",
            "now",
            "selfie front", "front selfie", "rear back", "back rear", "photo picture photograph", "picture photo",
            "video clip movie", "run running jog jogging", "running run jog jogging", "jogging running run jog",
            "cycling bike biking bicycle ride cycle", "walking walk foot", "driving drive car", "swimming swim",
            "hiking hike", "rowing row", "yoga", "strength weights lifting weightlifting",
            "living_room lounge", "bedroom", "bathroom", "tv television telly", "ac conditioner aircon",
            "lights light lamp", "light lights lamp", "fan", "all every everything", "none no nothing",
            "max maximum full", "min minimum",
            "grocery groceries shopping", "shopping grocery groceries", "groceries grocery shopping",
            "todo to_do tasks task", "work office job", "home house", "kitchen", "espresso", "favorite favourite",
            "color colour", "gray grey", "grey gray", "purple violet", "white", "warm warm_white", "metric", "imperial",
            "cinema movie", "movie cinema film", "night nighttime sleep", "day daytime", "vacation holiday", "away",
            "vibrate vibration", "public everyone", "private secret", "male man", "female woman", "text sms message",
            "sms text message", "email mail", "call phone", "email_message email",
        ]
        var table: [String: Set<String>] = [:]
        for line in lines {
            let words = line.split(separator: " ").map(String.init)
            table[words[0], default: []].formUnion(words.dropFirst())
        }
        return table
    }()

    /// The other names of one enum value in lower case.
    static func aliases(of value: String) -> Set<String> { table[value] ?? [] }
}
