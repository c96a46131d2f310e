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
        Ann, Bob | @Ann: I heard that Carl is ill. / Bob: Hm. | Carl is ill.
        Ann, Bob | @Ann: Carl stole my horse. / Bob: Hm. | Carl stole Ann's horse.
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
        Ann, Bob | @Ann: I told Carl that I am pregnant. / Bob: Hm. | Carl is pregnant.
        Ann, Bob | @Ann: Bought a horse yesterday. / Bob: Nice. | Bob bought a horse yesterday.
        Ann, Bob | @Ann: Thank you, Bob. I grew up in Leeds. / Bob: I see. | Bob grew up in Leeds.
        Ann, Bob | @Ann: You know what, Bob? I cannot swim. / Bob: Oh. | Bob cannot swim.",
    );
}

/// Written down before they were tried.
pub fn others_that_are_true(store: Arc<dyn Store>) {
    all_pass(
        &store,
        "
        陈默, 阿宁 | @陈默: 阿宁，我把伞忘在书店了。 / 阿宁: 我去取 | 陈默把伞忘在书店了。
        陈默, 阿宁 | @陈默: 早啊阿宁！我昨晚一夜没睡。 / 阿宁: 怎么了 | 陈默昨晚一夜没睡。
        陈默, 阿宁 | @陈默: 阿宁，听说你搬到海边了？ / 阿宁: 对，上个月搬的 | 阿宁上个月搬到海边了。
        陈默, 阿宁 | @陈默: 阿宁姑娘，这把琴送给你。 / 阿宁: 多谢 | 陈默把一把琴送给阿宁。
        陈默, 阿宁 | @陈默: 我打算明年开一家面馆。 / 阿宁: 我来帮你 | 阿宁会帮陈默开面馆。
        陈默, 阿宁 | @陈默: 阿宁总是迟到，我都习惯了。 / 阿宁: 抱歉 | 阿宁总是迟到。
        陈默, 阿宁 | @陈默: 小时候掉进过井里。 / 阿宁: 真吓人 | 陈默小时候掉进过井里。
        陈默, 阿宁 | @陈默: 阿宁，钥匙在你那里吗？ / 阿宁: 在我包里 | 钥匙在阿宁包里。
        結衣, 蓮太 | @結衣: 蓮太さん、来週から大阪で働きます。 / 蓮太: 頑張って | 結衣は来週から大阪で働く。
        結衣, 蓮太 | @結衣: ねえ蓮太、私の傘を見なかった？ / 蓮太: 玄関にあるよ | 結衣の傘は玄関にある。
        結衣, 蓮太 | @結衣: 蓮太くん、その歌をもう一度聞かせて。 / 蓮太: いいよ | 結衣は蓮太の歌をもう一度聞きたい。
        結衣, 蓮太 | @結衣: 昨日、財布を落としました。 / 蓮太: 警察に行こう | 結衣は昨日財布を落とした。
        結衣, 蓮太 | @結衣: 蓮太は優しいと思う。 / 蓮太: ありがとう | 結衣は蓮太が優しいと思っている。
        結衣, 蓮太 | @結衣: 僕っ子じゃないけど、犬が苦手。 / 蓮太: 俺も苦手 | 蓮太は犬が苦手だ。
        Ivy, Noah | @Ivy: Noah, could you water my plants on Friday? / Noah: Sure, I will. | Noah will water Ivy's plants on Friday.
        Ivy, Noah | @Ivy: Good evening, Noah. My train was late again. / Noah: Poor you. | Ivy's train was late again.
        Ivy, Noah | @Ivy: Dear Noah, I finished the novel! / Noah: Wonderful. | Ivy finished the novel.
        Ivy, Noah | @Ivy: Noah snores, and I can't sleep. / Noah: Sorry. | Noah snores, so Ivy can't sleep.
        Ivy, Noah | @Ivy: I need a lawyer. / Noah: I know a good lawyer. | Noah knows a good lawyer.
        Ivy, Noah | @Ivy: Noah, you sang beautifully tonight. / Noah: Thanks. | Noah sang beautifully.
        Ivy, Noah | @Ivy: My sister Ruth met Noah at the lake. / Noah: She did. | Ivy's sister Ruth met Noah at the lake.
        Ivy, Noah | @Ivy: I hid the letter under the floor, Noah. / Noah: I won't tell. | Ivy hid the letter under the floor.
        Ivy, Noah | @Ivy: Thanks to Noah I passed the exam. / Noah: Great. | Ivy passed the exam thanks to Noah.
        Ivy, Noah | @Ivy: Quit my job last week. / Noah: Wow. | Ivy quit her job last week.",
    );
}

/// Written down before they were tried.
pub fn others_that_are_not(store: Arc<dyn Store>) {
    none_pass(
        &store,
        "
        陈默, 阿宁 | @陈默: 阿宁，我把伞忘在书店了。 / 阿宁: 哦 | 阿宁把伞忘在书店了。
        陈默, 阿宁 | @陈默: 早啊阿宁！我昨晚一夜没睡。 / 阿宁: 怎么了 | 阿宁昨晚一夜没睡。
        陈默, 阿宁 | @陈默: 亲爱的阿宁，我对花生过敏。 / 阿宁: 记住了 | 阿宁对花生过敏。
        陈默, 阿宁 | @陈默: 我会弹琴，阿宁。 / 阿宁: 我会画画 | 阿宁会弹琴。
        陈默, 阿宁 | @陈默: 小时候掉进过井里。 / 阿宁: 真吓人 | 阿宁小时候掉进过井里。
        陈默, 阿宁 | @陈默: 阿宁姐姐，我想当船长！ / 阿宁: 加油 | 阿宁想当船长。
        結衣, 蓮太 | @結衣: 蓮太さん、私は来週から大阪で働きます。 / 蓮太: 頑張って | 蓮太は来週から大阪で働く。
        結衣, 蓮太 | @結衣: 昨日、財布を落としました。 / 蓮太: 大変 | 蓮太は昨日財布を落とした。
        結衣, 蓮太 | @結衣: おはよう、蓮太。僕は猫を飼っている。 / 蓮太: へえ | 蓮太は猫を飼っている。
        結衣, 蓮太 | @結衣: 蓮太、俺は泳げない。 / 蓮太: そう | 蓮太は泳げない。
        Ivy, Noah | @Ivy: Good evening, Noah. My train was late again. / Noah: Poor you. | Noah's train was late again.
        Ivy, Noah | @Ivy: Dear Noah, I finished the novel! / Noah: Wonderful. | Noah finished the novel.
        Ivy, Noah | @Ivy: I hid the letter under the floor, Noah. / Noah: I won't tell. | Noah hid the letter under the floor.
        Ivy, Noah | @Ivy: Listen, Noah, I never learned to read. / Noah: I see. | Noah never learned to read.
        Ivy, Noah | @Ivy: Quit my job last week. / Noah: Wow. | Noah quit his job last week.
        Ivy, Noah | @Ivy: I paint houses. / Noah: I build boats. | Noah paints houses.
        Ivy, Noah | @Ivy: I paint houses. / Noah: I build boats. | Ivy paints houses and builds boats.
        Ivy, Noah | @Ivy: I envy you, Noah. / Noah: Why? | Noah envies Ivy.
        Ivy, Noah | @Ivy: Noah I am pregnant / Noah: Oh! | Noah is pregnant.
        Ivy, Noah | @Ivy: Oh Noah, my father died in spring. / Noah: I am sorry. | Noah's father died in spring.",
    );
}

/// Written down before they were tried, and harder.
pub fn harder_ones_that_are_true(store: Arc<dyn Store>) {
    all_pass(
        &store,
        "
        周舟, 老何 | @周舟: 老何，你欠我的酒什么时候还？ / 老何: 下个月发工钱就还 | 老何欠周舟的酒，下个月发工钱就还。
        周舟, 老何 | @周舟: 我爹是打铁的。 / 老何: 我爹也是打铁的 | 老何的爹也是打铁的。
        周舟, 老何 | @周舟: 我们去年一起种了棵枣树。 / 老何: 今年结果了 | 老何和周舟去年一起种了棵枣树，今年结果了。
        周舟, 老何 | @周舟: 老何会修船，我不会。 / 老何: 我教你 | 老何会修船，周舟不会。
        周舟, 老何 | @周舟: 我想学修船。 / 老何: 行，明天开始 | 老何答应教周舟修船，明天开始。
        周舟, 老何 | @周舟: 昨天在山上看见一头熊。 / 老何: 别一个人去 | 周舟昨天在山上看见一头熊，老何让她别一个人去。
        周舟, 老何 | @周舟: 老何，你女儿真懂事。 / 老何: 随她娘 | 老何的女儿很懂事。
        周舟, 老何 | @周舟: 我怕水，老何却天天下海。 / 老何: 习惯了 | 老何天天下海。
        周舟, 老何 | @周舟: 把门关上，老何。 / 老何: 关了 | 老何把门关上了。
        周舟, 老何 | @周舟: 我的马病了。 / 老何: 我去请兽医 | 老何去请兽医看周舟的马。
        美香, 大輔 | @美香: 大輔、昨日のケーキありがとう。 / 大輔: どういたしまして | 大輔は昨日、美香にケーキをあげた。
        美香, 大輔 | @美香: 引っ越しを手伝ってくれない？ / 大輔: 日曜なら手伝える | 大輔は日曜に美香の引っ越しを手伝える。
        美香, 大輔 | @美香: 大輔の弟はサッカーが上手だね。 / 大輔: まあね | 大輔の弟はサッカーが上手だ。
        美香, 大輔 | @美香: 私は猫派。 / 大輔: 俺は犬派 | 美香は猫派で、大輔は犬派だ。
        美香, 大輔 | @美香: 大輔、薬は飲んだ？ / 大輔: 飲んだよ | 大輔は薬を飲んだ。
        美香, 大輔 | @美香: 熱があるみたい。 / 大輔: 薬を買ってくる | 大輔は美香に薬を買ってくる。
        Lena, Max | @Lena: Max, your brother called me. / Max: What did he want? | Max's brother called Lena.
        Lena, Max | @Lena: I lost my keys again. / Max: I found them in the kitchen. | Max found Lena's keys in the kitchen.
        Lena, Max | @Lena: Max is taller than me. / Max: By far. | Max is taller than Lena.
        Lena, Max | @Lena: I would love to see the sea. / Max: Let's drive there on Sunday. | Max wants to drive to the sea with Lena on Sunday.
        Lena, Max | @Lena: Do you still play chess, Max? / Max: Every week. | Max still plays chess every week.
        Lena, Max | @Lena: I gave Max my old bike. / Max: I ride it every day. | Max rides Lena's old bike every day.
        Lena, Max | @Lena: I can't cook. / Max: Neither can I. | Max can't cook.
        Lena, Max | @Lena: Max and I are getting married in June. / Max: Finally! | Max and Lena are getting married in June.
        Lena, Max | @Lena: Stop smoking, Max! / Max: I try. | Max tries to stop smoking.
        Lena, Max | @Lena: My boat sank. / Max: Did you save the dog? | Max asked Lena whether she saved the dog.
        Lena, Max | @Lena: I hate snakes. / Max: I keep three snakes at home. | Max keeps three snakes at home, which Lena hates.
        Lena, Max | @Lena: I met Max at a concert. / Max: Best night ever. | Max met Lena at a concert.
        Lena, Max | @Lena: I will be late tonight. / Max: I will keep your dinner warm. | Max will keep Lena's dinner warm tonight.
        Lena, Max | @Lena: I trust Max with my life. / Max: Same. | Lena trusts Max with her life.",
    );
}
