//! Is whoever is only called by name kept apart from whoever speaks?
//!
//! Written as in [`trust`](super::trust).

use std::sync::Arc;

use reverie_core::Store;

use super::trust::{all_pass, none_pass};

pub fn of_whoever_calls(store: Arc<dyn Store>) {
    all_pass(
        &store,
        "
        张三, 李四 | @张三: 李四，我从小怕打雷。 / 李四: 嗯 | 张三从小怕打雷。
        张三, 李四 | @张三: 我下周要搬到昆明，李四。 / 李四: 祝你顺利 | 张三下周要搬到昆明。
        张三, 小美 | @张三: 小美姐，我下周要结婚了！ / 小美: 恭喜 | 张三下周要结婚了。
        张三, 李四 | @张三: 李四，你的剑在我屋里。 / 李四: 多谢 | 李四的剑在张三屋里。
        张三, 李四 | @张三: 李四，去把马喂了。 / 李四: 好，我去喂马 | 李四要去喂马。
        张三, 李四 | @张三: 李四，真厉害！ / 李四: 过奖 | 李四很厉害。
        张三, 李四 | @张三: 画得真好！ / 李四: 谢谢 | 李四画得很好。
        张三, 李四 | @张三: 昨天买了一匹马。 / 李四: 不错 | 张三昨天买了一匹马。
        张三, 李四 | @张三: 我怕蛇。 / 李四: 我也是 | 李四怕蛇。
        张三, 李四 | @张三: 我明天要去医院。 / 李四: 我陪你 | 李四明天陪张三去医院。
        张三, 李四 | @张三: 下雨了。 / 李四: 我去拿伞 | 李四因为下雨去拿伞。
        张三, 李四 | @张三: 帮我买一壶酒。 / 李四: 好 | 李四帮张三买一壶酒。
        张三, 李四 | @张三: 李四和我打赌，赌注是一头牛。 / 李四: 对 | 李四和张三打赌，赌注是一头牛。
        张三, 李四 | @张三: 我买了一匹马。 / 李四: 我卖了一头牛 | 张三买了一匹马，李四卖了一头牛。
        さくら, 健太 | @さくら: 健太、私は雷が怖い。 / 健太: うん | さくらは雷が怖い。
        さくら, 健太 | @さくら: 健太さん、泳ぎが上手ですね。 / 健太: いえいえ | 健太は泳ぎが上手だ。
        さくら, 健太 | @さくら: 雷が怖いの。 / 健太: うん | さくらは雷が怖い。
        さくら, 健太 | @さくら: 納豆が嫌い。 / 健太: 俺も | 健太は納豆が嫌いだ。
        さくら, 健太 | @さくら: 明日の朝、駅まで来て。 / 健太: わかった | 健太は明日の朝、駅まで来る。
        さくら, 健太 | @さくら: 健太、去年貸した本を返して。 / 健太: ごめん | 健太は去年さくらが貸した本を返す。
        Ann, Bob | @Ann: Bob, I am afraid of thunder. / Bob: I see. | Ann is afraid of thunder.
        Ann, Bob | @Ann: I love green tea, Bob. / Bob: Nice. | Ann loves green tea.
        Ann, Bob | @Ann: Hey Bob! I lost my left arm in the war. / Bob: I am sorry. | Ann lost her left arm in the war.
        Ann, Bob | @Ann: Bob, your horse ran away. / Bob: Oh no. | Bob's horse ran away.
        Ann, Bob | @Ann: Bob, you still owe me ten euros. / Bob: I know. | Bob still owes Ann ten euros.
        Ann, Bob | @Ann: I bought a horse. / Bob: And I sold a cow. | Ann bought a horse and Bob sold a cow.
        Ann, Bob | @Ann: I adore green tea. / Bob: Me too! | Bob adores green tea.
        Ann, Bob | @Ann: I go to the hospital tomorrow. / Bob: I will drive you. | Bob will drive Ann to the hospital tomorrow.
        Ann, Bob | @Ann: Help me find my hat, Bob. / Bob: Sure. | Bob helps Ann find her hat.
        Ann, Bob | @Ann: Bob and I grew up in Leeds. / Bob: Right. | Bob grew up in Leeds with Ann.
        Ann, Bob | @Ann: Good morning, Bob, did you sleep in the barn? / Bob: I did. | Bob slept in the barn.
        Ann, Bob | @Ann: I hate war. / Bob: I know. | Bob knows that Ann hates war.",
    );
}

pub fn of_whoever_is_called(store: Arc<dyn Store>) {
    none_pass(
        &store,
        "
        张三, 李四 | @张三: 李四，我从小怕打雷。 / 李四: 嗯 | 李四从小怕打雷。 | L1
        张三, 李四 | @张三: 我从小怕打雷，李四。 / 李四: 嗯 | 李四从小怕打雷。
        张三, 李四 | @张三: 李四我从小怕打雷 / 李四: 嗯 | 李四从小怕打雷。
        张三, 小美 | @张三: 小美姐，我下周要结婚了！ / 小美: 恭喜 | 小美下周要结婚了。 | L1
        张三, 李四 | @张三: 你知道吗，李四，我在宫里当过差。 / 李四: 哦 | 李四在宫里当过差。
        张三, 李四 | @张三: 昨天买了一匹马。 / 李四: 不错。 | 李四昨天买了一匹马。 | L1
        张三, 李四 | @张三: 昨天买了一匹马。 / 李四: 不错。 | 李四昨天买了一匹马。
        张三, 李四 | @张三: 从小跟着师父学剑。 / 李四: 难怪 | 李四从小跟着师父学剑。
        张三, 李四 | @张三: 我买了一匹马。 / 李四: 我卖了一头牛 | 张三买了一匹马，卖了一头牛。
        张三, 李四 | @张三: 我喜欢喝茶。 / 李四: 我喜欢喝酒 | 李四喜欢喝茶。
        张三, 李四 | @张三: 我喜欢你，李四。 / 李四: 啊 | 李四喜欢张三。
        さくら, 健太 | @さくら: 健太、私は雷が怖い。 / 健太: うん。 | 健太は雷が怖い。 | L1
        さくら, 健太 | @さくら: 雷が怖いの。 / 健太: うん。 | 健太は雷が怖い。 | L1
        さくら, 健太 | @さくら: ねえ健太さん、私は来月結婚します。 / 健太: へえ | 健太は来月結婚する。
        さくら, 健太 | @さくら: 昨日馬を買った。 / 健太: すごい | 健太は昨日馬を買った。
        さくら, 健太 | @さくら: 僕は馬を買った。 / 健太: 俺は牛を売った | さくらは馬を買い、牛を売った。
        Ann, Bob | @Ann: Bob, I am afraid of thunder. / Bob: Nice. | Bob is afraid of thunder. | L1
        Ann, Bob | @Ann: I love green tea, Bob. / Bob: Nice. | Bob loves green tea.
        Ann, Bob | @Ann: Hey Bob! I lost my left arm in the war. / Bob: I am sorry. | Bob lost his left arm in the war.
        Ann, Bob | @Ann: Bob, my dear, my birthday is on 3 June. / Bob: Noted. | Bob's birthday is on 3 June. | L1
        Ann, Bob | @Ann: I bought a horse. / Bob: And I sold a cow. | Ann bought a horse and sold a cow.
        Ann, Bob | @Ann: Yesterday at the market I bought a horse. / Bob: And I sold a cow. | Bob bought a horse at the market.
        Ann, Bob | @Ann: I like green tea. / Bob: I like horses. | Bob likes green tea.
        Ann, Bob | @Ann: I love you, Bob. / Bob: Oh. | Bob loves Ann.
        Ann, Bob | @Ann: Bought a horse yesterday. / Bob: Nice. | Bob bought a horse yesterday.
        Ann, Bob | @Ann: Thank you, Bob. I grew up in Leeds. / Bob: I see. | Bob grew up in Leeds.
        Ann, Bob | @Ann: You know what, Bob? I cannot swim. / Bob: Oh. | Bob cannot swim.",
    );
}
