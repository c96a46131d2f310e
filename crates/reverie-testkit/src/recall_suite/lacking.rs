//! Is it told who of those around lacks what the audience policy keeps from them?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn who_lacks_it(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "those around who did not hear it, and nobody else",
                story: "
                    put audience = strict
                    set 小雪, 莱姆, 阿青
                    @莱姆: 狐狸汤的做法别告诉石头
                    小雪: 好
                    digest now
                    set 小雪, 石头, 莱姆
                    lacking 小雪: 狐狸汤
                    from 路人
                    lacking 小雪: 狐狸汤
                    from anybody
                    with 石头
                    lacking 小雪: 狐狸汤
                    alone
                    share 小雪 M1
                    lacking 小雪: 狐狸汤",
                outcome: "
                    M1: 石头
                    M1: 石头 路人
                    M1: 石头
                    nothing",
            },
            Told {
                what: "in English, of what is no line, in words of one's own, and of lines that nobody remembers yet",
                story: "
                    put audience = strict
                    put prompt.background_lines = 0
                    set Snow, Lime, Flint
                    note Snow, Lime (trait): The fox is tame
                    note Snow, Lime, Flint (trait): The fox has one white paw
                    reword Snow M2: The fox limps
                    @Lime → Snow: The fox sleeps in the mill
                    set Snow, Flint
                    lacking Snow: Where is the fox?",
                outcome: "
                    M1: Flint
                    M2: Flint
                    L1: Flint",
            },
            Told {
                what: "nobody where it goes by conversations, or where nobody knows who listens",
                story: "
                    put audience = same-conversation
                    set さくら, 健
                    @健: 鍵は植木鉢の下に隠した
                    さくら: わかった
                    digest now
                    set さくら, 光
                    lacking さくら: 鍵は植木鉢の下？
                    put audience = strict
                    lacking さくら: 鍵は植木鉢の下？
                    nowhere
                    lacking さくら: 鍵は植木鉢の下？",
                outcome: "
                    M1:
                    M1: 光
                    M1:",
            },
        ],
    );
}
