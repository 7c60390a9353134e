extension Thesaurus {
    /// What assistants do.
    static let actions = Thesaurus(groups: [
        "create make set start new generate setup compose | add begin put open give",
        "schedule book plan arrange | create add set make put",
        "start begin launch run initiate | commence open kick_off fire_up activate do",
        "stop end cancel halt finish terminate abort dismiss | quit kill turn_off shut_off close silence call_off",
        "delete remove erase clear discard forget cancel | drop scratch wipe trash take_off cross_off get_rid empty",
        "pause hold suspend freeze | stop", "resume continue unpause | carry_on keep_going",
        "take capture snap shoot photograph | grab get picture photo make",
        "record film tape capture | shoot video start make take",
        "get check show read tell list view fetch report display retrieve query | give what see look hear know",
        "send message text ping dm sms whatsapp send_word | write email shoot drop tell mail forward "
            + "fire_off ask let reply",
        "email mail | send write shoot drop compose", "reply respond answer | write tell text send",
        "call phone ring dial telephone | facetime buzz place make start ring_up give get",
        "play listen hear put_on | start stream", "remember memorize memorise | save store note keep record",
        "save store keep | remember record note",
        "note write jot | take record save make add write_down jot_down note_down put_down scribble create store log",
        "remind nudge notify | set create add ping", "recall retrieve lookup | remember remind tell get find search",
        "search find look google query browse look_up look_for find_out lookup research search_for | hunt get",
        "find locate | look_for search track_down where get", "discover recommend suggest | find",
        "navigate go direct route guide direction drive | take bring lead walk head start get bike "
            + "cycle give show find plan",
        "translate interpret say", "convert exchange | change turn make",
        "calculate compute solve evaluate | work_out figure what figure_out add_up do",
        "increase raise up boost | crank turn_up pump higher louder brighter warmer brighten heat warm "
            + "bump add more crank_up pump_up bring_up",
        "decrease lower reduce down | turn_down quieter softer dimmer dim cooler cool less bring_down "
            + "soften darken drop cut",
        "set change adjust modify update control configure | put make turn switch bring move raise "
            + "lower increase decrease turn_up turn_down dim crank brighten bump",
        "set adjust change choose | use", "boil", "leave", "fetch", "compose draft | write make create", "sort",
        "filter", "attach", "sign",
        "renew extend", "return", "borrow lend", "collect", "pour", "grind", "dry", "wash", "iron", "fold", "refill",
        "press push", "lift", "tilt", "crop", "blur", "undo", "redo", "copy", "paste", "type dictate", "highlight",
        "bookmark", "guess", "quiz", "teach", "learn practice", "whisper", "draw sketch paint", "sing", "relax", "warn",
        "beep", "vibrate", "trigger", "simulate", "vote", "wrap", "hide", "reveal", "merge", "visit", "join",
        "meditate", "dim | lower turn_down set change adjust put make turn reduce bring",
        "brighten | raise turn_up set change adjust put make",
        "turn_on switch_on enable activate power_on turn switch power | start put_on light_up flip_on on open engage",
        "turn_off switch_off disable deactivate power_off turn switch power | shut_off kill off "
            + "flip_off shut_down turn_out close cut",
        "toggle switch control | turn_on turn_off switch_on switch_off turn flip enable disable set "
            + "activate deactivate put_on shut_off power_on power_off flip_on flip_off kill",
        "lock secure | bolt", "unlock | unbolt", "open | raise unroll", "close shut | lower",
        "mute silence | quiet hush shut_up", "unmute",
        "add include insert append | put throw stick enter buy get",
        "log record track register enter | note add save put",
        "describe explain identify recognize recognise | tell see look", "read | tell hear read_out check",
        "scan | read", "count tally", "count_down", "measure",
        "share post forward | send", "connect pair link join", "disconnect unpair unlink", "order buy purchase | get",
        "book reserve | make get",
        "hail order request book | call get", "pay transfer wire | send give", "rename change",
        "donate | give send pay", "warn alert | tell notify", "dictate transcribe | write_down note write",
        "zoom magnify",
        "skip next advance forward jump | pass go_to play go",
        "previous back rewind | go_back last play go", "repeat loop replay | again say play", "shuffle mix randomize",
        "rate score | give", "like favorite | love heart thumbs_up",
        "post publish share | tweet upload", "print", "feed dispense | give", "water", "brew prepare make | start",
        "cook heat bake preheat | warm", "clean vacuum sweep mop | start",
        "tell | crack give", "flip toss | throw", "roll throw | toss cast", "pick choose select generate draw | give",
        "switch change | go", "define mean | explain look_up", "spell",
        "open launch show | start bring_up pull_up go_to", "close quit exit | shut", "snooze postpone delay",
        "complete finish check_off mark check | tick_off done tick cross_off",
        "edit change update modify reschedule | move", "answer accept | pick_up take",
        "decline reject ignore | hang_up", "hang_up end hang | close",
        "summarize summarise recap | sum_up give", "inspect check test diagnose | run", "upload sync back_up",
        "download save", "wake | set", "split divide", "estimate | calculate compute guess",
        "follow track", "subscribe follow", "rent hire | get", "move drive | turn go", "report file",
        "track monitor | log follow", "start track begin | log record do go", "park | save", "compare",
        "spin rotate turn", "focus", "charge", "restart reboot reset", "reset clear zero",
        "broadcast announce say | tell", "announce say speak", "arm activate | set enable turn_on",
        "disarm deactivate | disable turn_off", "show display | put_up bring_up pull_up open", "resume play | start",
        "change switch | set turn put", "tune play | switch turn change put go_to", "invite | ask add",
        "verify check confirm", "fill complete", "help assist", "transcribe caption", "stream broadcast | start",
        "block", "archive", "withdraw deposit | take put",
    ])

    /// Actions that say little without their object: "set …", "take …", "get …".
    static let lightActions = keys(
        "set get take make start do put show give turn add tell check create open find begin switch "
            + "change bring have use run go look see read keep close stop end save "
            + "what know write move list new adjust hold drop cut pick up down on off track mark record place "
            + "toggle turn_on turn_off switch_on switch_off turn_up turn_down put_on enable "
            + "disable log control report ask let cancel remove delete clear update pull_up bring_up order "
            + "book buy purchase stick throw water send"
    )

    /// Verbs that name their object too: "wake me" sets an alarm, "text Anna" sends a message.
    static let objectVerbs = keys(
        "wake remind photograph film text message email mail call phone note dim brighten navigate "
            + "schedule record search heat warm cool silence snap book track log "
            + "weigh write_down jot_down note_down jot timer alarm google louder quieter count_down")
}
