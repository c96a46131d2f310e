//! Is what one says of oneself kept apart from what others say, and is no still no?
//!
//! Written as in [`trust`](super::trust).

use std::sync::Arc;

use reverie_core::Store;

use super::trust::{all_pass, none_pass};

pub fn of_whoever_said_so(store: Arc<dyn Store>) {
    all_pass(
        &store,
        "
        张三, 李四 | @张三: 我喜欢火锅 / 李四: 哦 | 张三喜欢火锅。
        张三, 李四 | @张三: 我喜欢火锅 / 李四: 我也喜欢火锅 | 李四喜欢火锅。
        张三, 李四 | @张三: 李四欠我十块钱 / 李四: 知道了 | 李四欠张三十块钱。
        张三, 李四 | @张三: 你画得真好，我很羡慕 / 李四: 谢谢 | 李四画得很好，张三很羡慕。
        张三, 李四 | @张三: 我觉得李四很勇敢 / 李四: 哪里 | 李四很勇敢。
        张三, 李四 | @张三: 我们一起去爬山吧 / 李四: 好 | 李四和张三一起去爬山。
        张三, 李四 | @张三: 我答应教你骑马 / 李四: 太好了 | 张三答应教李四骑马。
        张三, 李四 | @张三: 我妈是老师 / 李四: 哦 | 张三的妈妈是老师。
        张三, 李四 | @张三: 我被李四救过一命 / 李四: 小事 | 李四救过张三一命，张三被他救过。
        张三, 李四, 王五 | @张三: 我看见王五在偷马 / 李四: 什么 | 王五在偷马。
        さくら, 太郎 | @さくら: 私は納豆が嫌いです / 太郎: へえ | さくらは納豆が嫌いだ。
        さくら, 太郎 | @さくら: 太郎が私に本をくれました / 太郎: うん | 太郎はさくらに本をくれた。
        さくら, 太郎 | @さくら: あなたの歌が好きです / 太郎: ありがとう | 太郎の歌がさくらは好きだ。
        さくら, 太郎 | @さくら: 私の友達の花子は医者です / 太郎: へえ | さくらの友達の花子は医者だ。
        さくら, 太郎 | @さくら: 雷が怖い / 太郎: 俺も雷が怖い | 太郎は雷が怖い。
        Mira, Tom | @Mira: I like hotpot. / Tom: OK. | Mira likes hotpot.
        Mira, Tom | @Mira: I like hotpot. / Tom: I like hotpot too. | Tom likes hotpot.
        Mira, Tom | @Mira: Tom owes me ten euros. / Tom: Right. | Tom owes Mira ten euros.
        Mira, Tom | @Mira: You paint well, I envy you. / Tom: Thanks. | Tom paints well and Mira envies him.
        Mira, Tom | @Mira: I think Tom is brave. / Tom: Oh. | Tom is brave, Mira thinks.
        Mira, Tom | @Mira: I was saved by Tom once. / Tom: It was nothing. | Tom once saved Mira.
        Mira, Tom | @Mira: Will you marry me? / Tom: I will. | Tom will marry Mira.
        Mira, Tom | @Mira: My sister Anna plays chess. / Tom: I see. | Mira's sister Anna plays chess.
        Mira, Tom | @Mira: Let's paint the house. / Tom: Fine. | Tom and Mira will paint the house.
        Mira, Tom | @Mira: I teach you chess, Tom. / Tom: Great. | Mira teaches Tom chess.",
    );
}

pub fn of_somebody_else(store: Arc<dyn Store>) {
    none_pass(
        &store,
        "
        张三, 李四 | @张三: 我喜欢火锅 / 李四: 哦 | 李四喜欢火锅。
        张三, 李四 | @张三: 我从小就怕打雷 / 李四: 是吗 | 李四从小就怕打雷。
        张三, 李四 | @张三: 我喜欢李四 / 李四: 啊 | 李四喜欢张三。
        张三, 李四 | @张三: 我欠李四十块钱 / 李四: 对 | 李四欠张三十块钱。
        张三, 李四 | @张三: 俺是木匠 / 李四: 好手艺 | 李四是木匠。
        张三, 李四 | @张三: 我妹妹在杭州 / 李四: 嗯 | 李四的妹妹在杭州。
        张三, 李四, 王五 | @张三: 我偷了马 / 李四: 什么 | 王五偷了马。
        张三, 李四 | @张三: 我明天去成都出差 / 李四: 路上小心 | 李四明天去成都出差。
        张三, 李四 | @张三: 我的梦想是当船长 / 李四: 加油 | 李四的梦想是当船长。
        さくら, 太郎 | @さくら: 私は納豆が嫌いです / 太郎: へえ | 太郎は納豆が嫌いだ。
        さくら, 太郎 | @さくら: 私は太郎が好きです / 太郎: え | 太郎はさくらが好きだ。
        さくら, 太郎 | @さくら: 私の夢は医者です / 太郎: すごい | 太郎の夢は医者だ。
        さくら, 太郎 | @太郎: 俺は泳げない / さくら: そう | さくらは泳げない。
        さくら, 太郎 | @太郎: 僕は京都に住んでいる / さくら: いいな | さくらは京都に住んでいる。
        さくら, 太郎 | @太郎: ぼくは犬を飼っている / さくら: かわいい | さくらは犬を飼っている。
        Mira, Tom | @Mira: I like hotpot. / Tom: OK. | Tom likes hotpot.
        Mira, Tom | @Mira: I love Tom. / Tom: Oh. | Tom loves Mira.
        Mira, Tom | @Mira: I owe Tom ten euros. / Tom: Right. | Tom owes Mira ten euros.
        Mira, Tom | @Mira: I am a carpenter. / Tom: I see. | Tom is a carpenter.
        Mira, Tom | @Mira: My dream is to sail. / Tom: Go on. | Tom's dream is to sail.
        Mira, Tom | @Mira: I'm afraid of spiders. / Tom: Really? | Tom is afraid of spiders.
        Mira, Tom, Anna | @Mira: I stole the horse. / Tom: What? | Anna stole the horse.
        Mira, Tom | @Mira: I'll move to Oslo tomorrow. / Tom: Good luck. | Tom will move to Oslo tomorrow.
        Mira, Tom | @Mira: I've been to Rome twice. / Tom: Nice. | Tom has been to Rome twice.
        Mira, Tom | @Mira: I have a twin sister. / Tom: Wow. | Tom has a twin sister.",
    );
}

pub fn no_is_no(store: Arc<dyn Store>) {
    all_pass(
        &store,
        "
        张三, 李四 | @张三: 我不喜欢咖啡 / 李四: 哦 | 张三不喜欢咖啡。
        张三, 李四 | @张三: 我不太喜欢热闹 / 李四: 哦 | 张三不喜欢热闹。
        张三, 李四 | @张三: 我没去过成都 / 李四: 可惜 | 张三没有去过成都。
        张三, 李四 | @张三: 我不吃辣，只吃甜的 / 李四: 记住了 | 张三不吃辣，喜欢吃甜的。
        张三, 李四 | @张三: 你要不要喝咖啡 / 李四: 要 | 张三问李四要不要喝咖啡。
        张三, 李四 | @张三: 我戒酒了，不喝了 / 李四: 好 | 张三已经戒酒，不再喝酒。
        张三, 李四 | @张三: 我讨厌下雨 / 李四: 我也是 | 张三不喜欢下雨。
        张三, 李四 | @张三: 我很喜欢这里的花，不过虫子太多 / 李四: 是 | 张三很喜欢这里的花。
        张三, 李四 | @张三: 我不是老师，是医生 / 李四: 哦 | 张三是医生，不是老师。
        さくら, 太郎 | @さくら: コーヒーは好きじゃない / 太郎: そう | さくらはコーヒーが好きではない。
        さくら, 太郎 | @さくら: お酒は飲みません / 太郎: わかった | さくらはお酒を飲まない。
        さくら, 太郎 | @さくら: 一緒に行きませんか / 太郎: 行きます | さくらは太郎を誘い、一緒に行く。
        さくら, 太郎 | @さくら: もう京都には住んでいません / 太郎: へえ | さくらは京都に住んでいない。
        さくら, 太郎 | @さくら: 早く寝なければならない / 太郎: おやすみ | さくらは早く寝る必要がある。
        さくら, 太郎 | @さくら: 犬は好きだけど猫は好きじゃない / 太郎: 逆だ | さくらは犬が好きで、猫は好きではない。
        Mira, Tom | @Mira: I don't like coffee. / Tom: OK. | Mira doesn't like coffee.
        Mira, Tom | @Mira: I don't like coffee. / Tom: OK. | Mira does not like coffee.
        Mira, Tom | @Mira: I have never been to Rome. / Tom: Go. | Mira has never been to Rome.
        Mira, Tom | @Mira: I quit smoking. / Tom: Good. | Mira no longer smokes, she quit smoking.
        Mira, Tom | @Mira: I don't think he likes me. / Tom: He does. | Mira thinks that he doesn't like her.
        Mira, Tom | @Mira: I can't wait to see Rome. / Tom: Me too. | Mira wants to see Rome.
        Mira, Tom | @Mira: Don't you like tea? / Tom: I do. | Tom likes tea.
        Mira, Tom | @Mira: I like dogs but I don't like cats. / Tom: Same. | Mira likes dogs but not cats.
        Mira, Tom | @Mira: I no longer live in Oslo. / Tom: Where then? | Mira no longer lives in Oslo.
        Mira, Tom | @Mira: I hate rain. / Tom: Me too. | Mira does not like rain, she hates it.",
    );
}

pub fn no_is_not_yes(store: Arc<dyn Store>) {
    none_pass(
        &store,
        "
        张三, 李四 | @张三: 我不喜欢咖啡 / 李四: 哦 | 张三喜欢咖啡。
        张三, 李四 | @张三: 我喜欢咖啡 / 李四: 哦 | 张三不喜欢咖啡。
        张三, 李四 | @张三: 我喜欢咖啡 / 李四: 哦 | 张三讨厌咖啡。
        张三, 李四 | @张三: 我讨厌咖啡 / 李四: 哦 | 张三喜欢咖啡。
        张三, 李四 | @张三: 我不会游泳 / 李四: 我教你 | 张三会游泳。
        张三, 李四 | @张三: 我没结婚 / 李四: 哦 | 张三结婚了。
        张三, 李四 | @张三: 我结婚了 / 李四: 恭喜 | 张三没有结婚。
        张三, 李四 | @张三: 我从来不抽烟 / 李四: 好 | 张三抽烟。
        张三, 李四 | @张三: 我不相信他 / 李四: 为什么 | 张三相信他。
        さくら, 太郎 | @さくら: コーヒーは好きじゃない / 太郎: そう | さくらはコーヒーが好きだ。
        さくら, 太郎 | @さくら: コーヒーが好きです / 太郎: そう | さくらはコーヒーが好きではない。
        さくら, 太郎 | @さくら: お酒は飲みません / 太郎: わかった | さくらはお酒を飲む。
        さくら, 太郎 | @さくら: 泳げない / 太郎: 教えるよ | さくらは泳げる。
        さくら, 太郎 | @さくら: 猫が好きです / 太郎: へえ | さくらは猫が嫌いだ。
        さくら, 太郎 | @さくら: もう京都には住んでいません / 太郎: へえ | さくらは京都に住んでいる。
        さくら, 太郎 | @さくら: 彼を信じていない / 太郎: そう | さくらは彼を信じている。
        Mira, Tom | @Mira: I don't like coffee. / Tom: OK. | Mira likes coffee.
        Mira, Tom | @Mira: I like coffee. / Tom: OK. | Mira doesn't like coffee.
        Mira, Tom | @Mira: I like coffee. / Tom: OK. | Mira hates coffee.
        Mira, Tom | @Mira: I hate coffee. / Tom: OK. | Mira loves coffee.
        Mira, Tom | @Mira: I can't swim. / Tom: I can teach you. | Mira swims.
        Mira, Tom | @Mira: I have never been married. / Tom: OK. | Mira is married.
        Mira, Tom | @Mira: I am not a doctor. / Tom: OK. | Mira is a doctor.
        Mira, Tom | @Mira: I never drink. / Tom: Good. | Mira drinks.
        Mira, Tom | @Mira: I do not trust him. / Tom: Why? | Mira trusts him.",
    );
}
