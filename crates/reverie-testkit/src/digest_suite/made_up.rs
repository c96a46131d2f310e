//! Do places, people and things that nobody spoke of get into a memory, and do other words for what was said keep out of it?
//!
//! Written as in [`trust`](super::trust). Names here have no capital letters, no titles and no family names to tell them by.

use std::sync::Arc;

use reverie_core::Store;

use super::trust::{all_pass, none_pass};

pub fn told_in_other_words_in_chinese(store: Arc<dyn Store>) {
    all_pass(
        &store,
        "
        林晚, 程野 | @林晚: 我住在杭州，离西湖不远 / 程野: 真好 | 林晚居住在杭州，离西湖很近。
        林晚, 程野 | @林晚: 我爸妈都是开饭馆的 / 程野: 难怪你会做饭 | 林晚的父母经营饭馆，她会做饭。
        林晚, 程野 | @林晚: 我一紧张就咬指甲 / 程野: 我也是 | 林晚有紧张时咬指甲的习惯。
        林晚, 程野 | @林晚: 我跟我姐已经半年没说过话了 / 程野: 吵架了？ | 林晚和姐姐已经半年没有说话。
        林晚, 程野 | @林晚: 我想攒钱去冰岛看极光 / 程野: 带上我 | 林晚希望存钱去冰岛看极光。
        林晚, 程野 | @林晚: 程野，你能帮我修一下自行车吗 / 程野: 没问题 | 程野答应帮林晚修自行车。
        林晚, 程野 | @林晚: 我不太喜欢热闹，人一多就头疼 / 程野: 那我们去安静的地方 | 林晚不喜欢热闹，人多的时候会头疼。
        林晚, 程野 | @林晚: 小时候被狗咬过，到现在都怕 / 程野: 我会拉住它的 | 林晚小时候被狗咬过，至今害怕狗。
        林晚, 程野 | @林晚: 我在画一本绘本，已经画了一半 / 程野: 给我看看 | 林晚正在创作一本绘本，目前完成了一半。
        林晚, 程野 | @林晚: 外婆做的桂花糕是世界上最好吃的 / 程野: 流口水了 | 林晚认为外婆做的桂花糕最好吃。
        林晚, 程野 | @林晚: 我把戒指弄丢了，别告诉他 / 程野: 我保密 | 林晚丢失了戒指，要求程野保密。
        林晚, 程野 | @林晚: 我刚辞了会计的工作 / 程野: 接下来呢 | 林晚辞去了会计的工作。
        林晚, 程野 | @林晚: 每天早上不喝咖啡我就没精神 / 程野: 哈哈 | 林晚每天早上必须喝咖啡，否则没有精神。
        林晚, 程野 | @林晚: 我答应妈妈过年一定回家 / 程野: 应该的 | 林晚承诺过年一定会回家。
        林晚, 程野 | @林晚: 我最近在学弹尤克里里 / 程野: 弹一首 | 林晚最近在学习弹尤克里里。
        林晚, 程野 | @林晚: 那家店的老板以前是消防员 / 程野: 看不出来 | 林晚说那家店的老板曾经是消防员。
        林晚, 程野 | @林晚: 我对猫毛过敏，可是又很喜欢猫 / 程野: 太惨了 | 林晚虽然喜欢猫，但是对猫毛过敏。
        林晚, 程野 | @林晚: 我打算把头发染成红色 / 程野: 会很好看 | 林晚计划把头发染成红色。
        林晚, 程野 | @林晚: 上学的时候我数学从来没及格过 / 程野: 我也差不多 | 林晚上学时数学一直没有及格。
        林晚, 程野 | @林晚: 他欠我五百块，到现在都不还 / 程野: 去找他要 | 有人欠林晚五百块，一直没有归还。
        林晚, 程野 | @林晚: 我喜欢你很久了 / 程野: 我也喜欢你 | 林晚向程野表白，两人互相喜欢。
        林晚, 程野 | @林晚: 我怕黑，睡觉要开着灯 / 程野: 我给你买个夜灯 | 林晚怕黑，睡觉的时候需要开灯，程野愿意给她买夜灯。
        林晚, 程野 | @林晚: 我师父教了我十年剑法 / 程野: 失敬 | 林晚跟随师父学习剑法十年。
        林晚, 程野 | @林晚: 村子被强盗烧了，只有我逃了出来 / 程野: 节哀 | 林晚的村子被强盗烧毁，只有她一个人逃出来。
        林晚, 程野 | @林晚: 我发誓要找到害死我哥哥的人 / 程野: 我陪你 | 林晚发誓找到害死哥哥的人，程野愿意陪伴她。
        林晚, 程野 | @林晚: 上海的冬天又湿又冷，我受不了 / 程野: 搬来南方吧 | 林晚无法忍受上海冬天的湿冷。
        林晚, 程野 | @林晚: 我比较喜欢看推理小说 / 程野: 推荐一本 | 林晚的爱好是看推理小说。
        林晚, 程野 | @林晚: 面试没过，心情糟透了 / 程野: 下次会好的 | 林晚面试没有通过，心情很糟糕。",
    );
}

pub fn made_up_in_chinese(store: Arc<dyn Store>) {
    none_pass(
        &store,
        "
        林晚, 程野 | @林晚: 我住在杭州，离西湖不远 / 程野: 真好 | 林晚住在苏州，离西湖不远。
        林晚, 程野 | @林晚: 我住在杭州，离西湖不远 / 程野: 真好 | 林晚住在杭州，离太湖不远。
        林晚, 程野 | @林晚: 我爸妈都是开饭馆的 / 程野: 难怪你会做饭 | 林晚的爸妈在重庆开饭馆。
        林晚, 程野 | @林晚: 我一紧张就咬指甲 / 程野: 我也是 | 林晚一紧张就抽雪茄。
        林晚, 程野 | @林晚: 我想攒钱去冰岛看极光 / 程野: 带上我 | 林晚想攒钱去挪威看极光。
        林晚, 程野 | @林晚: 我想攒钱去冰岛看极光 / 程野: 带上我 | 林晚想攒钱去冰岛看火山。
        林晚, 程野 | @林晚: 你能帮我修一下自行车吗 / 程野: 没问题 | 程野答应帮林晚修摩托车。
        林晚, 程野 | @林晚: 小时候被狗咬过，到现在都怕 / 程野: 我会拉住它的 | 林晚小时候在青岛被狗咬过，到现在都怕。
        林晚, 程野 | @林晚: 我在画一本绘本 / 程野: 给我看看 | 林晚在画一本关于恐龙的绘本。
        林晚, 程野 | @林晚: 外婆做的桂花糕最好吃 / 程野: 流口水了 | 林晚觉得外婆做的榴莲糕最好吃。
        林晚, 程野 | @林晚: 我把戒指弄丢了 / 程野: 我保密 | 林晚把翡翠戒指弄丢了。
        林晚, 程野 | @林晚: 我刚辞了会计的工作 / 程野: 接下来呢 | 林晚刚辞了华为的会计工作。
        林晚, 程野 | @林晚: 早上不喝咖啡我就没精神 / 程野: 哈哈 | 林晚早上不喝星巴克咖啡就没精神。
        林晚, 程野 | @林晚: 我答应妈妈过年一定回家 / 程野: 应该的 | 林晚答应妈妈过年一定回哈尔滨的家。
        林晚, 程野 | @林晚: 我最近在学弹琴 / 程野: 弹一首 | 林晚最近在学弹肖邦的曲子。
        林晚, 程野 | @林晚: 那家店的老板以前是消防员 / 程野: 看不出来 | 那家店的老板以前是宇航员。
        林晚, 程野 | @林晚: 我对猫毛过敏 / 程野: 太惨了 | 林晚对海鲜过敏。
        林晚, 程野 | @林晚: 我打算把头发染成红色 / 程野: 会很好看 | 林晚打算把头发染成紫色。
        林晚, 程野 | @林晚: 我师父教了我十年剑法 / 程野: 失敬 | 武当的师父教了林晚十年剑法。
        林晚, 程野 | @林晚: 村子被强盗烧了，只有我逃了出来 / 程野: 节哀 | 村子被匈奴烧了，只有林晚逃了出来。
        林晚, 程野 | @林晚: 上海的冬天又湿又冷，我受不了 / 程野: 搬来南方吧 | 北京的冬天又湿又冷，林晚受不了。
        林晚, 程野 | @林晚: 我比较喜欢看推理小说 / 程野: 推荐一本 | 林晚比较喜欢看武侠小说。
        林晚, 程野 | @林晚: 面试没过，心情糟透了 / 程野: 下次会好的 | 林晚面试腾讯没过，心情糟透了。
        林晚, 程野 | @林晚: 我下午去机场接人 / 程野: 路上小心 | 林晚下午去浦东机场接人。
        林晚, 程野 | @林晚: 我喜欢听民谣 / 程野: 我也是 | 林晚喜欢听摇滚。
        林晚, 程野 | @林晚: 我妹在国外留学 / 程野: 厉害 | 林晚的妹妹在英国留学。
        林晚, 程野 | @林晚: 我養了一隻貓 / 程野: 可愛 | 林晚養了一隻貓，住在臺北。",
    );
}

pub fn told_in_other_words_in_japanese(store: Arc<dyn Store>) {
    all_pass(
        &store,
        "
        美咲, 悠斗 | @美咲: 京都に住んでいます / 悠斗: いいな | 美咲は京都に住んでいる。
        美咲, 悠斗 | @美咲: 両親はパン屋をやっています / 悠斗: 食べたい | 美咲の両親はパン屋を経営している。
        美咲, 悠斗 | @美咲: 緊張すると爪を噛んでしまうんです / 悠斗: わかる | 美咲は緊張すると爪を噛む癖がある。
        美咲, 悠斗 | @美咲: オーロラを見にアイスランドへ行きたい / 悠斗: 行こう | 美咲はオーロラを見るためにアイスランドへ行くことを望んでいる。
        美咲, 悠斗 | @美咲: 自転車を直してくれる？ / 悠斗: いいよ | 悠斗は美咲の自転車を直すと約束した。
        美咲, 悠斗 | @美咲: 人が多い場所は苦手です / 悠斗: 静かな所に行こう | 美咲は人が多い場所が苦手だ。
        美咲, 悠斗 | @美咲: 子供の頃、犬に噛まれてから犬が怖いです / 悠斗: 大丈夫だよ | 美咲は子供の頃に犬に噛まれ、今も犬を怖がっている。
        美咲, 悠斗 | @美咲: 絵本を描いています / 悠斗: 見せて | 美咲は絵本を描いている。
        美咲, 悠斗 | @美咲: おばあちゃんの作る煮物が一番好き / 悠斗: いいね | 美咲はおばあちゃんの煮物が一番好きだ。
        美咲, 悠斗 | @美咲: 指輪をなくしたの、内緒にして / 悠斗: わかった | 美咲は指輪をなくし、悠斗に秘密にするよう頼んだ。
        美咲, 悠斗 | @美咲: 会計の仕事を辞めました / 悠斗: これからどうするの | 美咲は会計の仕事を辞めた。
        美咲, 悠斗 | @美咲: 朝はコーヒーがないとだめなんです / 悠斗: ははは | 美咲は毎朝コーヒーが必要だ。
        美咲, 悠斗 | @美咲: お正月は必ず帰ると母に約束した / 悠斗: 帰らなきゃ | 美咲はお正月に必ず帰ると母親に約束している。
        美咲, 悠斗 | @美咲: 最近ギターを習い始めました / 悠斗: 弾いて | 美咲は最近ギターの練習を始めた。
        美咲, 悠斗 | @美咲: 猫は好きなのにアレルギーなんです / 悠斗: かわいそう | 美咲は猫が好きだが、猫アレルギーがある。
        美咲, 悠斗 | @美咲: 髪を赤く染めるつもり / 悠斗: 似合うよ | 美咲は髪を赤く染める予定だ。
        美咲, 悠斗 | @美咲: 数学はいつも赤点でした / 悠斗: 僕も | 美咲は学生時代、数学がいつも赤点だった。
        美咲, 悠斗 | @美咲: ずっと前から悠斗のことが好きでした / 悠斗: 僕もだよ | 美咲は以前から悠斗が好きで、二人は両思いだ。
        美咲, 悠斗 | @美咲: 暗い所が怖くて電気をつけて寝ます / 悠斗: ライトを買うよ | 美咲は暗い所が怖いので、電気をつけて寝る。
        美咲, 悠斗 | @美咲: 師匠に十年剣を習いました / 悠斗: すごい | 美咲は師匠から10年間剣を学んだ。
        美咲, 悠斗 | @美咲: 村は盗賊に焼かれて、私だけ逃げました / 悠斗: つらかったね | 美咲の村は盗賊に焼かれ、彼女だけが逃げた。
        美咲, 悠斗 | @美咲: 推理小説をよく読みます / 悠斗: おすすめは？ | 美咲の趣味は推理小説を読むことだ。
        美咲, 悠斗 | @美咲: 面接に落ちて落ち込んでいます / 悠斗: 次があるよ | 美咲は面接に失敗して落ち込んでいる。
        美咲, 悠斗 | @美咲: 看護師として病院で働いています / 悠斗: お疲れさま | 美咲は病院に勤務する看護師だ。
        美咲, 悠斗 | @美咲: 兄と喧嘩して半年話していません / 悠斗: 仲直りしなよ | 美咲は兄と喧嘩し、半年間話していない。
        美咲, 悠斗 | @美咲: 卒業したら先生になりたいです / 悠斗: 向いてるよ | 美咲の夢は卒業後に先生になることだ。",
    );
}

pub fn made_up_in_japanese(store: Arc<dyn Store>) {
    none_pass(
        &store,
        "
        美咲, 悠斗 | @美咲: 京都に住んでいます / 悠斗: いいな | 美咲は大阪に住んでいる。
        美咲, 悠斗 | @美咲: 京都に住んでいます / 悠斗: いいな | 美咲はパリに住んでいる。
        美咲, 悠斗 | @美咲: 京都に住んでいます / 悠斗: いいな | 美咲はユキと京都に住んでいる。
        美咲, 悠斗 | @美咲: 京都に住んでいます / 悠斗: いいな | ひろしは京都に住んでいる。
        美咲, 悠斗 | @美咲: 両親はパン屋をやっています / 悠斗: 食べたい | 美咲の両親は神戸でパン屋をやっている。
        美咲, 悠斗 | @美咲: オーロラを見にアイスランドへ行きたい / 悠斗: 行こう | 美咲はオーロラを見にノルウェーへ行きたい。
        美咲, 悠斗 | @美咲: 自転車を直してくれる？ / 悠斗: いいよ | 悠斗は美咲のオートバイを直す。
        美咲, 悠斗 | @美咲: 人が多い場所は苦手です / 悠斗: 静かな所に行こう | 美咲は渋谷が苦手だ。
        美咲, 悠斗 | @美咲: 子供の頃、犬に噛まれました / 悠斗: 大丈夫だよ | 美咲は子供の頃、シロに噛まれた。
        美咲, 悠斗 | @美咲: 絵本を描いています / 悠斗: 見せて | 美咲は恐竜の絵本を描いている。
        美咲, 悠斗 | @美咲: おばあちゃんの作る煮物が一番好き / 悠斗: いいね | 美咲はおばあちゃんの作るピロシキが一番好きだ。
        美咲, 悠斗 | @美咲: 会計の仕事を辞めました / 悠斗: これからどうするの | 美咲はトヨタの会計の仕事を辞めた。
        美咲, 悠斗 | @美咲: 朝はコーヒーがないとだめなんです / 悠斗: ははは | 美咲は朝はスターバックスのコーヒーがないとだめだ。
        美咲, 悠斗 | @美咲: お正月は必ず帰ると母に約束した / 悠斗: 帰らなきゃ | 美咲はお正月は必ず北海道へ帰ると母に約束した。
        美咲, 悠斗 | @美咲: 最近ギターを習い始めました / 悠斗: 弾いて | 美咲は最近、三味線を習い始めた。
        美咲, 悠斗 | @美咲: 猫が好きです / 悠斗: そうだね | 美咲はミケが好きだ。
        美咲, 悠斗 | @美咲: 師匠に剣を習いました / 悠斗: すごい | 美咲は武蔵に剣を習った。
        美咲, 悠斗 | @美咲: 推理小説をよく読みます / 悠斗: おすすめは？ | 美咲はホームズの推理小説をよく読む。
        美咲, 悠斗 | @美咲: 面接に落ちました / 悠斗: 次があるよ | 美咲はソニーの面接に落ちた。
        美咲, 悠斗 | @美咲: 看護師として病院で働いています / 悠斗: お疲れさま | 美咲は横浜の病院で看護師として働いている。
        美咲, 悠斗 | @美咲: 兄と喧嘩しました / 悠斗: 仲直りしなよ | 美咲はタケシと喧嘩した。
        美咲, 悠斗 | @美咲: 留学したいです / 悠斗: いいね | 美咲はイギリスに留学したい。
        美咲, 悠斗 | @美咲: ピアノの曲を練習しています / 悠斗: 聴きたい | 美咲はショパンの曲を練習している。
        美咲, 悠斗 | @美咲: 空港へ迎えに行きます / 悠斗: 気をつけて | 美咲は成田空港へ迎えに行く。
        美咲, 悠斗 | @美咲: 犬を飼っています / 悠斗: かわいい | 美咲は柴犬を飼っている。
        美咲, 悠斗 | @美咲: 温泉に行きたい / 悠斗: 行こう | 美咲は箱根の温泉に行きたい。",
    );
}

pub fn told_in_other_words_in_english(store: Arc<dyn Store>) {
    all_pass(
        &store,
        "
        Mira, Tom | @Mira: I live in Berlin, close to the river. / Tom: Nice. | Mira lives near the river in Berlin.
        Mira, Tom | @Mira: My parents run a bakery. / Tom: Lucky you. | Mira's parents own a bakery.
        Mira, Tom | @Mira: I bite my nails when I am nervous. / Tom: Me too. | Mira has a habit of biting her nails when nervous.
        Mira, Tom | @Mira: I want to save up and see the northern lights in Iceland. / Tom: Take me along. | Mira hopes to see the northern lights in Iceland and is saving money for it.
        Mira, Tom | @Mira: Could you fix my bicycle? / Tom: Sure. | Tom agreed to repair Mira's bicycle.
        Mira, Tom | @Mira: Crowds give me a headache. / Tom: Let us go somewhere quiet. | Mira gets headaches in crowds.
        Mira, Tom | @Mira: A dog bit me when I was little and I am still scared. / Tom: I will hold him. | Mira was bitten by a dog as a child and is still afraid of dogs.
        Mira, Tom | @Mira: I am painting a picture book, half of it is done. / Tom: Show me. | Mira is working on a picture book and has finished half of it.
        Mira, Tom | @Mira: I lost the ring, do not tell him. / Tom: My lips are sealed. | Mira lost the ring and asked Tom to keep it a secret.
        Mira, Tom | @Mira: I quit my job as an accountant. / Tom: What now? | Mira no longer works as an accountant.
        Mira, Tom | @Mira: Without coffee I am useless in the morning. / Tom: Ha. | Mira needs coffee every morning.
        Mira, Tom | @Mira: I promised my mother to come home for Christmas. / Tom: Good. | Mira promised her mother that she would be home for Christmas.
        Mira, Tom | @Mira: I started learning the ukulele. / Tom: Play something. | Mira has recently begun to learn the ukulele.
        Mira, Tom | @Mira: I love cats but I am allergic to them. / Tom: Poor you. | Mira loves cats although she has an allergy to them.
        Mira, Tom | @Mira: I failed every math exam at school. / Tom: Same here. | Mira was bad at math in school and failed every exam.
        Mira, Tom | @Mira: I have been in love with you for years. / Tom: I love you too. | Mira and Tom are in love with each other.
        Mira, Tom | @Mira: I sleep with the light on because I am afraid of the dark. / Tom: I will buy you a lamp. | Mira fears the dark and sleeps with the light on; Tom wants to buy her a lamp.
        Mira, Tom | @Mira: My master taught me the sword for ten years. / Tom: Impressive. | Mira trained with the sword under her master for 10 years.
        Mira, Tom | @Mira: Bandits burned our village, only I escaped. / Tom: I am sorry. | Bandits burned Mira's village and she was the only one who escaped.
        Mira, Tom | @Mira: I mostly read detective novels. / Tom: Recommend one. | Mira enjoys reading detective novels.
        Mira, Tom | @Mira: They turned me down after the interview. / Tom: Next time. | Mira was rejected after the interview.
        Mira, Tom | @Mira: I work nights as a nurse at the hospital. / Tom: Hard. | Mira is a nurse and works at night in the hospital.
        Mira, Tom | @Mira: I have not spoken to my brother for six months. / Tom: Call him. | Mira has not talked to her brother for six months.
        Mira, Tom | @Mira: When I finish school I want to teach. / Tom: You should. | Mira wants to become a teacher after finishing school.
        Mira, Tom | @Mira: I dye my hair red. / Tom: It suits you. | Mira dyes her hair red.
        Mira, Tom | @Mira: I cannot stand loud music. / Tom: I will turn it down. | Mira dislikes loud music.
        Mira Hoffmann, Tom | @Mira Hoffmann: I like tea. / Tom: Me too. | Mira likes tea.",
    );
}

pub fn made_up_in_english(store: Arc<dyn Store>) {
    none_pass(
        &store,
        "
        Mira, Tom | @Mira: I live in Berlin, close to the river. / Tom: Nice. | Mira lives in Hamburg, close to the river.
        Mira, Tom | @Mira: I live close to the river. / Tom: Nice. | Mira lives in berlin, close to the river.
        Mira, Tom | @Mira: I live close to the river. / Tom: Nice. | Mia lives close to the river.
        Mira, Tom | @Mira: My sister visits the museum. / Tom: Nice. | Mia visits the museum.
        Mira, Tom | @Mira: My parents run a bakery. / Tom: Lucky you. | Mira's parents run a bakery in vienna.
        Mira, Tom | @Mira: I want to see the northern lights in Iceland. / Tom: Take me along. | Mira wants to see the northern lights in norway.
        Mira, Tom | @Mira: Could you fix my bicycle? / Tom: Sure. | Tom agreed to fix Mira's motorcycle.
        Mira, Tom | @Mira: A dog bit me when I was little. / Tom: I will hold him. | A poodle bit Mira when she was little.
        Mira, Tom | @Mira: I am painting a picture book. / Tom: Show me. | Mira is painting a picture book about dinosaurs.
        Mira, Tom | @Mira: I lost the ring. / Tom: My lips are sealed. | Mira lost the emerald ring.
        Mira, Tom | @Mira: I quit my job as an accountant. / Tom: What now? | Mira quit her job as an accountant at siemens.
        Mira, Tom | @Mira: Without coffee I am useless in the morning. / Tom: Ha. | Without starbucks coffee Mira is useless in the morning.
        Mira, Tom | @Mira: I promised my mother to come home. / Tom: Good. | Mira promised her mother to come home to dublin.
        Mira, Tom | @Mira: I started learning the ukulele. / Tom: Play something. | Mira started learning the banjo.
        Mira, Tom | @Mira: I am allergic to cats. / Tom: Poor you. | Mira is allergic to shellfish.
        Mira, Tom | @Mira: My master taught me the sword. / Tom: Impressive. | Yoda taught Mira the sword.
        Mira, Tom | @Mira: Bandits burned our village. / Tom: I am sorry. | Goblins burned Mira's village.
        Mira, Tom | @Mira: I mostly read detective novels. / Tom: Recommend one. | Mira mostly reads erotic novels.
        Mira, Tom | @Mira: They turned me down after the interview. / Tom: Next time. | Google turned Mira down after the interview.
        Mira, Tom | @Mira: I work nights as a nurse at the hospital. / Tom: Hard. | Mira works nights as a nurse at the hospital in leeds.
        Mira, Tom | @Mira: I have not spoken to my brother for six months. / Tom: Call him. | Mira has not spoken to kevin for six months.
        Mira, Tom | @Mira: I dye my hair red. / Tom: It suits you. | Mira dyes her hair turquoise.
        Mira, Tom | @Mira: We went to the concert. / Tom: It was loud. | Mira went to the metallica concert.
        Mira, Tom | @Mira: I met an old friend. / Tom: Who? | Mira met an old friend, gregor.
        Mira, Tom | @Mira: I had dinner with the manager. / Tom: And? | Sophie had dinner with the manager.
        Mira, Tom | @Mira: My dog died. / Tom: I am sorry. | Mira's dog rex died.",
    );
}
pub fn told_in_yet_other_words(store: Arc<dyn Store>) {
    all_pass(
        &store,
        "
        阿岚, 老吴 | @阿岚: 我娘生我的时候就没了，是姑姑把我拉扯大的 / 老吴: 不容易 | 阿岚的母亲在生她时去世，她由姑姑抚养长大。
        阿岚, 老吴 | @阿岚: 这把刀跟了我七年，从没离过身 / 老吴: 好刀 | 阿岚的刀陪伴她七年，从未离身。
        阿岚, 老吴 | @阿岚: 我可不会游泳，掉水里就完了 / 老吴: 我会拉你 | 阿岚不会游泳。
        阿岚, 老吴 | @阿岚: 等打完这一仗，我想开个小茶馆 / 老吴: 我去喝茶 | 阿岚打算战争结束后开一家小茶馆。
        阿岚, 老吴 | @阿岚: 我最恨别人骗我 / 老吴: 我不会骗你 | 阿岚最讨厌被人欺骗，老吴保证不会骗她。
        阿岚, 老吴 | @阿岚: 我左腿受过伤，一下雨就疼 / 老吴: 贴块膏药 | 阿岚的左腿有旧伤，下雨时会疼痛。
        阿岚, 老吴 | @阿岚: 我昨天梦到回家了，门口的桃树还在 / 老吴: 会回去的 | 阿岚昨天梦见自己回到家，门口的桃树还在。
        阿岚, 老吴 | @阿岚: 我答应过他，绝不再喝酒 / 老吴: 那就喝茶 | 阿岚曾经承诺不再喝酒。
        阿岚, 老吴 | @阿岚: 说实话，我有点怕你 / 老吴: 我又不吃人 | 阿岚有些害怕老吴。
        阿岚, 老吴 | @阿岚: 我认得几个字，是隔壁先生教的 / 老吴: 难得 | 阿岚识字，是邻居的先生教的。
        阿岚, 老吴 | @阿岚: 我弟被抓去当兵了，三年没消息 / 老吴: 会回来的 | 阿岚的弟弟被抓去当兵，三年没有音讯。
        阿岚, 老吴 | @阿岚: 谁要是欺负小孩，我第一个不答应 / 老吴: 好样的 | 阿岚无法容忍有人欺负小孩。
        阿岚, 老吴 | @阿岚: 我把银子埋在老槐树底下 / 老吴: 别跟别人说 | 阿岚把银子藏在老槐树下，老吴提醒她不要告诉别人。
        阿岚, 老吴 | @阿岚: 我爱吃甜的，越甜越好 / 老吴: 小心牙 | 阿岚喜欢甜食。
        阿岚, 老吴 | @阿岚: 老吴，你教我认路吧 / 老吴: 行，明早就教 | 老吴同意明早教阿岚认路。
        阿岚, 老吴 | @阿岚: 我从来没出过这个山谷 / 老吴: 外面大着呢 | 阿岚一直住在山谷里，从没离开过。
        阿岚, 老吴 | @阿岚: 我算账很快，从不出错 / 老吴: 来帮我管账 | 阿岚擅长算账，老吴邀请她帮忙管账。
        阿岚, 老吴 | @阿岚: 我信佛，初一十五吃素 / 老吴: 心诚 | 阿岚信佛，每逢初一和十五吃素。
        阿岚, 老吴 | @阿岚: 我跟我婆婆处不来 / 老吴: 慢慢来 | 阿岚和婆婆关系不好。
        リオ, カイ | @リオ: 母は私を産んですぐ亡くなって、叔母に育てられました / カイ: 大変だったね | リオは母を出産時に亡くし、叔母に育てられた。
        リオ, カイ | @リオ: この剣は七年使ってる / カイ: いい剣だ | リオは七年間この剣を使っている。
        リオ, カイ | @リオ: 泳げないんだ / カイ: 助けるよ | リオは泳ぐことができない。
        リオ, カイ | @リオ: 戦いが終わったら茶屋を開きたい / カイ: 行くよ | リオは戦いの後に茶屋を開くのが夢だ。
        リオ, カイ | @リオ: 嘘をつかれるのが一番嫌い / カイ: つかないよ | リオは嘘をつかれることを最も嫌う。
        リオ, カイ | @リオ: 左足の古傷が雨の日に痛む / カイ: 薬を塗ろう | リオは左足に古傷があり、雨の日に痛む。
        リオ, カイ | @リオ: もう酒は飲まないと約束した / カイ: お茶にしよう | リオは酒を飲まないと約束した。
        リオ, カイ | @リオ: 正直、君が少し怖い / カイ: ごめん | リオはカイを少し怖がっている。
        リオ, カイ | @リオ: 弟が兵隊に取られて三年連絡がない / カイ: 帰ってくるさ | リオの弟は兵隊に取られ、三年間連絡がない。
        リオ, カイ | @リオ: 子供をいじめる奴は許さない / カイ: そうだな | リオは子供をいじめる人を許せない。
        リオ, カイ | @リオ: 甘い物に目がないんだ / カイ: 歯に悪いぞ | リオは甘い物が大好きだ。
        リオ, カイ | @リオ: カイ、道を教えて / カイ: ああ、明日な | カイは明日リオに道を教えると約束した。
        リオ, カイ | @リオ: この谷から出たことがない / カイ: 外は広いよ | リオは一度も谷の外に出たことがない。
        リオ, カイ | @リオ: 計算は得意、間違えたことがない / カイ: 手伝って | リオは計算が得意だ。
        リオ, カイ | @リオ: 本を読むと時間を忘れる / カイ: わかる | リオは読書が好きで、時間を忘れるほどだ。
        リオ, カイ | @リオ: 来月から図書館で働きます / カイ: おめでとう | リオは来月から図書館で働く予定だ。
        リオ, カイ | @リオ: 納豆だけは食べられない / カイ: 体にいいのに | リオは納豆が苦手だ。
        Ada, Finn | @Ada: My mother died when I was born, my aunt raised me. / Finn: That is hard. | Ada's mother died at her birth and she was raised by her aunt.
        Ada, Finn | @Ada: I have carried this blade for seven years. / Finn: A fine one. | Ada has owned her blade for seven years.
        Ada, Finn | @Ada: I cannot swim. / Finn: I will pull you out. | Ada is unable to swim.
        Ada, Finn | @Ada: After the war I want to open a little tea house. / Finn: I will come. | Ada plans to open a small tea house after the war.
        Ada, Finn | @Ada: What I hate most is being lied to. / Finn: I never will. | Ada hates it when people lie to her.
        Ada, Finn | @Ada: My left leg was wounded, it aches when it rains. / Finn: Rub it. | Ada has an old wound in her left leg that hurts in the rain.
        Ada, Finn | @Ada: I swore to him never to drink again. / Finn: Tea, then. | Ada promised never to drink again.
        Ada, Finn | @Ada: The priest next door taught me to read. / Finn: Rare. | Ada learned to read from the priest next door.
        Ada, Finn | @Ada: They took my brother for the army, no word for three years. / Finn: He will return. | Ada's brother was taken by the army and she has not heard from him for three years.
        Ada, Finn | @Ada: I buried the silver under the old oak. / Finn: Tell nobody. | Ada hid the silver under the old oak; Finn advised her to keep it secret.
        Ada, Finn | @Ada: The sweeter the better! / Finn: Mind your teeth. | Ada likes sweet things.
        Ada, Finn | @Ada: Teach me the way, Finn. / Finn: Tomorrow at dawn. | Finn will teach Ada the way tomorrow at dawn.
        Ada, Finn | @Ada: I have never left this valley. / Finn: It is a big world. | Ada has spent her whole life in the valley.
        Ada, Finn | @Ada: My husband ran off with someone. / Finn: He is not worth it. | Ada's husband left her for another person.
        Ada, Finn | @Ada: I am quick with numbers, I never make mistakes. / Finn: Do my books. | Ada is good with numbers and Finn wants her to do his books.
        Ada, Finn | @Ada: I do not get along with my mother-in-law. / Finn: Give it time. | Ada has a difficult relationship with her mother-in-law.
        Ada, Finn | @Ada: I will start at the library next month. / Finn: Congratulations. | Ada begins her job at the library next month.
        Ada, Finn | @Ada: I dream of sailing around the world. / Finn: Me too. | Ada's dream is to sail around the world.
        Ada, Finn | @Ada: Mushrooms make me sick. / Finn: More for me. | Ada gets sick from mushrooms.",
    );
}

pub fn told_once_more(store: Arc<dyn Store>) {
    all_pass(
        &store,
        "
        苏木, 白芷 | @苏木: 我从八岁起就在药铺打杂 / 白芷: 难怪认得草药 | 苏木八岁起就在药铺干活。
        苏木, 白芷 | @苏木: 我不吃羊肉，闻着就想吐 / 白芷: 给你做鸡 | 苏木不吃羊肉，闻到就恶心。
        苏木, 白芷 | @苏木: 白芷，多亏你昨天替我挡了那一刀 / 白芷: 应该的 | 白芷昨天替苏木挡了一刀，苏木很感激。
        苏木, 白芷 | @苏木: 我跟师兄打赌输了，得给他洗一个月衣服 / 白芷: 活该 | 苏木打赌输给师兄，要为他洗一个月衣服。
        苏木, 白芷 | @苏木: 我其实是逃婚出来的 / 白芷: 啊？ | 苏木承认自己是为了逃婚才离开家的。
        苏木, 白芷 | @苏木: 我一喝酒就脸红 / 白芷: 少喝点 | 苏木喝酒会脸红，白芷劝她少喝。
        苏木, 白芷 | @苏木: 等我攒够钱，就给娘买副好棺材 / 白芷: 孝顺 | 苏木想攒钱给母亲买一副好棺材。
        苏木, 白芷 | @苏木: 我会吹笛子，是爹教的 / 白芷: 吹一曲 | 苏木会吹笛子，由父亲教会。
        苏木, 白芷 | @苏木: 我见过龙，就在北边的雪山上 / 白芷: 骗人 | 苏木声称在北边的雪山上见过龙，白芷不相信。
        苏木, 白芷 | @苏木: 我讨厌被人叫小丫头 / 白芷: 知道了 | 苏木不喜欢别人叫她小丫头。
        苏木, 白芷 | @苏木: 今晚子时，城门口见 / 白芷: 不见不散 | 苏木和白芷约好今晚子时在城门口见面。
        苏木, 白芷 | @苏木: 我的脚扭了，走不动 / 白芷: 我背你 | 苏木扭伤了脚，白芷愿意背她。
        葵, 蒼 | @葵: 八歳から薬屋で働いています / 蒼: すごい | 葵は8歳の頃から薬屋で働いている。
        葵, 蒼 | @葵: 羊の肉は匂いがだめで食べられない / 蒼: 鶏にしよう | 葵は羊の肉の匂いが苦手で、食べられない。
        葵, 蒼 | @葵: 昨日は助けてくれてありがとう / 蒼: 当然だよ | 蒼は昨日葵を助け、葵は感謝している。
        葵, 蒼 | @葵: 賭けに負けて一か月洗濯をすることになった / 蒼: 頑張れ | 葵は賭けに負け、一か月間洗濯をしなければならない。
        葵, 蒼 | @葵: 本当は結婚が嫌で逃げてきたの / 蒼: え | 葵は結婚を嫌がって逃げてきたと打ち明けた。
        葵, 蒼 | @葵: お酒を飲むと顔が赤くなる / 蒼: ほどほどに | 葵はお酒を飲むと顔が赤くなる体質だ。
        葵, 蒼 | @葵: お金を貯めて母に家を買いたい / 蒼: 偉いね | 葵は母親に家を買うために貯金したいと考えている。
        葵, 蒼 | @葵: 笛が吹けます、父に習いました / 蒼: 聴きたい | 葵は父親から笛を習い、吹くことができる。
        葵, 蒼 | @葵: 雪山で竜を見たことがある / 蒼: 嘘だろ | 葵は雪山で竜を見たと言っている。
        葵, 蒼 | @葵: 足をひねって歩けない / 蒼: おぶるよ | 葵は足をひねって歩けず、蒼が背負うと言った。
        葵, 蒼 | @葵: 今夜、門の前で会おう / 蒼: 必ず行く | 葵と蒼は今夜、門の前で会う約束をした。
        葵, 蒼 | @葵: 子供扱いされるのが嫌い / 蒼: ごめん | 葵は子供扱いされることを嫌う。
        Nell, Hugo | @Nell: I have worked in the apothecary since I was eight. / Hugo: No wonder. | Nell has worked in the apothecary since the age of eight.
        Nell, Hugo | @Nell: I can't eat lamb, the smell makes me sick. / Hugo: Chicken, then. | Nell does not eat lamb because its smell makes her sick.
        Nell, Hugo | @Nell: You took a blow for me yesterday, thank you. / Hugo: Of course. | Hugo took a blow for Nell yesterday, and she is grateful.
        Nell, Hugo | @Nell: I lost the bet, so I wash his clothes for a month. / Hugo: Ha. | Nell lost a bet and must wash his clothes for a month.
        Nell, Hugo | @Nell: The truth is that I ran away from my wedding. / Hugo: What? | Nell confessed that she fled from her own wedding.
        Nell, Hugo | @Nell: My face turns red when I drink. / Hugo: Go easy. | Nell's face becomes red when she drinks.
        Nell, Hugo | @Nell: Once I have enough money I will buy my mother a house. / Hugo: Sweet. | Nell wants to earn enough money to buy a house for her mother.
        Nell, Hugo | @Nell: My father taught me the flute. / Hugo: Play. | Nell can play the flute; she learned it from her father.
        Nell, Hugo | @Nell: I saw a dragon in the northern mountains. / Hugo: Liar. | Nell claims to have seen a dragon in the northern mountains, but Hugo doubts it.
        Nell, Hugo | @Nell: I hate being called a little girl. / Hugo: Sorry. | Nell dislikes being called a little girl.
        Nell, Hugo | @Nell: I twisted my ankle, I can't walk. / Hugo: I will carry you. | Nell twisted her ankle and cannot walk, so Hugo will carry her.
        Nell, Hugo | @Nell: Meet me at the gate at midnight. / Hugo: I will be there. | Nell and Hugo agreed to meet at the gate at midnight.",
    );
}

pub fn made_up_once_more(store: Arc<dyn Store>) {
    none_pass(
        &store,
        "
        苏木, 白芷 | @苏木: 我从小在药铺打杂 / 白芷: 难怪 | 苏木从小在同仁堂打杂。
        苏木, 白芷 | @苏木: 我不吃羊肉 / 白芷: 给你做鸡 | 苏木不吃牛肉。
        苏木, 白芷 | @苏木: 我跟师兄打赌输了 / 白芷: 活该 | 苏木跟令狐冲打赌输了。
        苏木, 白芷 | @苏木: 我在广州上大学 / 白芷: 热吗 | 苏木在深圳上大学。
        苏木, 白芷 | @苏木: 我会吹笛子 / 白芷: 吹一曲 | 苏木会吹唢呐。
        苏木, 白芷 | @苏木: 我见过龙 / 白芷: 骗人 | 苏木在昆仑见过龙。
        苏木, 白芷 | @苏木: 我去南京看朋友 / 白芷: 路上小心 | 苏木去西安看朋友。
        苏木, 白芷 | @苏木: 我姐嫁到国外去了 / 白芷: 哪里 | 苏木的姐姐嫁到加拿大去了。
        苏木, 白芷 | @苏木: 我在银行上班 / 白芷: 稳定 | 苏木在农业银行上班。
        苏木, 白芷 | @苏木: 我养了一条狗 / 白芷: 可爱 | 苏木养了一条叫旺财的狗。
        苏木, 白芷 | @苏木: 我怕蛇 / 白芷: 别怕 | 苏木怕蜘蛛。
        苏木, 白芷 | @苏木: 我想去海边 / 白芷: 走 | 苏木想去三亚的海边。
        葵, 蒼 | @葵: 薬屋で働いています / 蒼: すごい | 葵は名古屋の薬屋で働いている。
        葵, 蒼 | @葵: 広島の大学に通っています / 蒼: いいね | 葵は福岡の大学に通っている。
        葵, 蒼 | @葵: 笛が吹けます / 蒼: 聴きたい | 葵はトランペットが吹ける。
        葵, 蒼 | @葵: 雪山で竜を見た / 蒼: 嘘だろ | 葵は富士山で竜を見た。
        葵, 蒼 | @葵: 姉は外国に嫁ぎました / 蒼: どこ | 葵の姉はカナダに嫁いだ。
        葵, 蒼 | @葵: 銀行で働いています / 蒼: 安定だね | 葵は三菱銀行で働いている。
        葵, 蒼 | @葵: 友達と映画を見た / 蒼: 何を | 葵はケンジと映画を見た。
        葵, 蒼 | @葵: 蛇が怖い / 蒼: 大丈夫 | 葵は蜘蛛が怖い。
        葵, 蒼 | @葵: 海に行きたい / 蒼: 行こう | 葵は沖縄の海に行きたい。
        葵, 蒼 | @葵: 弟が生まれました / 蒼: おめでとう | 葵に弟のハルトが生まれた。
        葵, 蒼 | @葵: 先生に叱られた / 蒼: なんで | 葵は小林先生に叱られた。
        Nell, Hugo | @Nell: I work in an apothecary. / Hugo: Nice. | Nell works in an apothecary in prague.
        Nell, Hugo | @Nell: I can't eat lamb. / Hugo: Chicken, then. | Nell can't eat pork.
        Nell, Hugo | @Nell: I lost the bet against him. / Hugo: Ha. | Nell lost the bet against boris.
        Nell, Hugo | @Nell: I ran away from my wedding. / Hugo: What? | Nell ran away from her wedding with Lord Ashford.
        Nell, Hugo | @Nell: My father taught me the flute. / Hugo: Play. | Nell's father taught her the oboe.
        Nell, Hugo | @Nell: I saw a dragon. / Hugo: Liar. | Nell saw a dragon near edinburgh.
        Nell, Hugo | @Nell: I study in Madrid. / Hugo: Hot. | Nell studies in Barcelona.
        Nell, Hugo | @Nell: My sister moved abroad. / Hugo: Where? | Nell's sister moved to canada.
        Nell, Hugo | @Nell: I am afraid of snakes. / Hugo: Okay. | Nell is afraid of scorpions.
        Nell, Hugo | @Nell: We had lunch. / Hugo: It was good. | Olga had lunch with Nell.
        Nell, Hugo | @Nell: I play in a band. / Hugo: Cool. | Nell plays in a band called thunderbolt.
        Nell, Hugo | @Nell: I bought a car. / Hugo: Fast? | Nell bought a porsche.",
    );
}
