//! Does what is said right now decide about what belongs here?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn what_was_talked_about_before(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "brings nothing into every prompt that follows",
                story: "
                    set 小雪, 阿明
                    @阿明: 我最喜欢的歌手是周杰伦。
                    小雪: 我也喜欢听《晴天》。
                    @阿明: 我把备用钥匙藏在门口的花盆下面了。
                    小雪: 这样不太安全吧。
                    @阿明: 窗外在下雨。
                    小雪: 我喜欢雨声。
                    digest now
                    window 2
                    kept 小雪: 1+1等于几？
                    kept 小雪: 你知道我喜欢听谁的歌吗？",
                outcome: "
                    nothing
                    M1",
            },
            Told {
                what: "gives way to what answers the question, however often it was spoken of",
                story: "
                    put language = en
                    set Ana, Ben
                    @Ben: The treasure key lies under the anvil of the blacksmith.
                    Ana: I will keep that to myself.
                    @Ben: Nice weather again on this third day of our march.
                    Ana: Aye, my boots are holding up.
                    @Ben: Nice weather again on this fourth day of our march.
                    Ana: Aye, my boots hold up well.
                    @Ben: Nice weather again on this fifth day of our march.
                    Ana: Aye, my good boots hold up.
                    @Ben: Nice weather again on this sixth day of our march.
                    Ana: Aye, these boots are holding up.
                    @Ben: Nice weather again on this seventh day of our march.
                    Ana: Aye, my boots still hold up.
                    digest now
                    window 2
                    kept Ana: Where is the treasure key?",
                outcome: "
                    M1 M3 M5",
            },
            Told {
                what: "in English",
                story: "
                    put language = en
                    set Rain, Max
                    @Max: My favourite singer is Nick Cave.
                    Rain: I love his voice.
                    @Max: I hid the spare key under the flower pot.
                    Rain: That is not very safe.
                    @Max: It is raining outside.
                    Rain: I love the sound of rain.
                    digest now
                    window 2
                    kept Rain: What is 1+1?
                    kept Rain: Where is the spare key?",
                outcome: "
                    nothing
                    M2",
            },
        ],
    );
}

pub fn words_that_are_one(store: Arc<dyn Store>) {
    told(
        &store,
        &[Told {
            what: "forms that no rule of endings leads back",
            story: "
                    put language = en
                    set Snow, Lime
                    event Snow: Lime won the archery contest at the fair
                    event Snow: The old bridge broke in the flood
                    event Snow: Grandfather rowed out with oil
                    kept Snow: What did you ever win?
                    kept Snow: Did anything break?",
            outcome: "
                    M1
                    M2",
        }],
    );
}
