//! Which words are in every text, and so tell nothing about one?

use std::collections::HashSet;
use std::sync::OnceLock;

/// In lower case.
pub(crate) fn is_stop_word(word: &str) -> bool {
    static WORDS: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let words = WORDS.get_or_init(|| {
        [CHINESE, ENGLISH, JAPANESE].iter().flat_map(|list| list.split_whitespace()).collect()
    });
    words.contains(word) || word.strip_suffix("'s").is_some_and(|word| words.contains(word))
}

/// Whether a word, or a few of them, would tell nobody what a text is about. In lower case.
pub(crate) fn is_filler(text: &str) -> bool {
    static WORDS: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let fillers = WORDS.get_or_init(|| FILLERS.split_whitespace().collect());
    let is_one = |word: &str| {
        // 和也 is somebody's name.
        let is_particle = || word.chars().nth(1).is_none() && word.chars().all(is_function_character);
        fillers.contains(word)
            || is_stop_word(word)
            || is_function_word(word)
            || is_particle()
            || word.chars().all(char::is_numeric)
    };
    text.split_whitespace().all(is_one)
}

/// Whether a word only holds a sentence together. In lower case.
pub(crate) fn is_function_word(word: &str) -> bool {
    static WORDS: OnceLock<HashSet<&'static str>> = OnceLock::new();
    WORDS.get_or_init(|| FUNCTION_WORDS.split_whitespace().collect()).contains(word)
}

/// Whether an ideograph by itself only holds a sentence together.
pub(crate) fn is_function_character(char: char) -> bool {
    FUNCTION_CHARACTERS.contains(char)
}

const FUNCTION_WORDS: &str = "
    a an the and or but nor not no if of at by for with about against between into through during before after above below to
    from up down in out on off over under again further then once here there when where why how all any both each few more
    most other some such only own same so than too very can will just should would could now s t d ll m re ve
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its
    itself they them their theirs themselves what which who whom whose this that these those am is are was were be been being
    have has had having do does did doing i'm you're he's she's it's we're they're i've you've we've they've i'll you'll he'll
    she'll we'll they'll i'd you'd don't doesn't didn't isn't aren't wasn't weren't won't can't couldn't wouldn't shouldn't
    that's there's what's who's let's
    我们 你们 他们 她们 它们 什么 怎么 这个 那个 这些 那些 为什么 因为 所以 但是 可是 如果 虽然 就是 不是 没有 可以 一个 是的 我的 你的 他的 她的";

/// In simplified form.
const FUNCTION_CHARACTERS: &str = "的了是我你他她它们这那有在不也都就和与及一个么什吗呢吧啊呀哦嗯很还要会能可以到去来说没上下为把被让给对从向但而且或者所因如果之其已经过着得地中里";

/// What stands in keywords of hosts and models besides, and says how something is said, or when, but not what.
const FILLERS: &str = "
    maybe perhaps still back bit kind sort stuff sure right good great nice really actually basically literally probably
    anyway almost already yet soon later yesterday tomorrow tonight always sometimes usually look looks looked see saw seen
    feel feels felt need needs seem seems seemed try tried take took put keep kept give gave use used someone somebody
    anyone everybody everyone people time times day days around away every first last next new old oh hey hmm huh yep nope
    please thanks hello
    比如 反正 毕竟 突然 居然 竟然 终于 感觉 大概 也许 似乎 仿佛 几乎 根本 确实 当然 果然 甚至 并且 而是 或是 还要 还在 又是 才是
    不管 无论 只好 总是 从来 那时 当时 同时 最近 后来 昨天 明天 昨晚 今晚 早上 晚上 这次 那次 第一 有些 有时 许多 很多 很少 更加
    十分 相当 稍微 差不多 看到 看见 听到 想到 说道 说话 告诉 问道 开始 继续 进行 成为 变得 那边 这边 里面 外面 上面 下面 一边 一定
    一次 一切 一种 一位 一会儿 一会 一番 从不 从未 再也 再也没有 的是 了解 來 還是 還有 後來 這次 這些 那些 一種
    こと もの それ これ あれ ここ そこ あそこ ため よう そう とき ところ ちょっと とても すごく やっぱり やはり だから でも しかし そして
    たぶん きっと もう まだ また ずっと みんな わたし あなた おれ ぼく する した して いる ある なる ない です ます という けど など
    私 僕 俺 君 彼 事 物 時 人 前 後 中 今 何 昨日 明日 毎日 最近 全部 最後 最初 普通 絶対 多分 結局 実際 二人 一人 今夜 昨夜 今朝 時々
    時 気 様子 意味 理由 問題 話 言葉";

const CHINESE: &str = "
    我们 你们 他们 她们 它们 咱们 自己 大家 别人 什么 怎么 怎样 这样 那样 这么 那么 这个 那个 这些 那些 这里 那里 这儿 那儿
    哪里 哪儿 哪个 为什么 因为 所以 但是 可是 不过 而且 或者 如果 要是 虽然 然后 还是 已经 正在 就是 不是 没有 没事 可以 可能
    应该 需要 不要 不会 不能 知道 觉得 一个 一下 一些 一点 一样 一直 一起 有点 时候 现在 刚才 真的 其实 好像 非常 特别 今天
    的话 东西 事情 出来 起来 过来 过去 上去 下来 回来 之后 之前 以后 以前 不了 了吧 是的 好的 好吧 对了 不用 只是 只有 还有
    我的 你的 他的 她的 我是 你是 是不是 有没有 怎么样 的时候 我們 你們 他們 她們 什麼 怎麼 這樣 那樣 這個 那個 這裡 那裡
    為什麼 因為 但是 如果 雖然 已經 沒有 應該 不會 時候 現在 一個 覺得 知道
    去了 来了 到了 有了 了一 不打 就要 都是 也是 也不 就不 都不 还不 只要 只能 不想 想要 那就 就会 都会 还会 会不会 能不能
    要不要 多少 几个 多么 那种 这种 每次 每天 有人 没人 所有 任何 其他 另外 首先 最后 于是 于是乎 以及 以为 认为";

const ENGLISH: &str = "
    the and for are but not you your yours yourself him his her hers she they them their theirs its our ours who whom whose
    which what when where why how this that these those there here was were been being have has had having does did doing
    done will would shall should can could may might must ought with without within from into onto upon over under again
    then than too very just also only even ever never always often really quite some any all both each few more most other
    another such same own about above below before after during until while because since though although however therefore
    out off down get got gets getting let lets make makes made say says said tell told know knows knew think thinks thought
    want wants wanted like likes liked well yes yeah okay now today thing things something anything nothing everything one
    ones two way much many lot lots going gonna come came went goes don't doesn't didn't won't can't couldn't wouldn't
    shouldn't isn't aren't wasn't weren't hasn't haven't hadn't i'm you're he's she's it's we're they're i've you've we've
    they've i'll you'll he'll she'll we'll they'll i'd you'd he'd she'd we'd they'd that's there's what's let's";

const JAPANESE: &str = "
    今日 何か 自分 本当 時間 今回 場合 感じ 気持 一緒 大丈夫 私達 皆さん 彼女 彼等 物事 所以 其処 此処 何処 何故 今度 一番 少し 沢山
    ソレ コレ アレ コト モノ";
