//! What does each operation do, in Chinese? For the reference page, beside the summaries of `routes.rs`.

pub(crate) const SUMMARIES: &[(&str, &str)] = &[
    ("listWorlds", "列出世界"),
    ("putWorld", "创建世界，或修改它的设置"),
    ("getWorld", "读取一个世界"),
    ("deleteWorld", "永久删除一个世界"),
    ("forkWorld", "复制一个世界：当前状态，或某个检查点的状态"),
    ("exportWorld", "导出一个世界，或为存档文件导出它的一个检查点"),
    ("importWorld", "从导出内容（任一格式）新建世界"),
    ("listCharacters", "列出角色"),
    ("putCharacter", "创建或修改角色"),
    ("getCharacter", "读取一个角色"),
    ("deleteCharacter", "永久删除一个角色和它说过的一切"),
    ("openConversation", "按参与者或名称查找对话，没有则新开"),
    ("listConversations", "列出对话"),
    ("getConversation", "读取一个对话"),
    ("setPresent", "设定从现在起谁在场"),
    ("moveHead", "撤销、重做，或切换到另一条分支"),
    ("recordLines", "记录台词；返回时已经落盘"),
    ("listLines", "读取台词，从根到当前位置"),
    ("getLine", "读取一条台词，无论它是否在当前路径上"),
    ("editLine", "修改一条台词，将它从提示词中隐藏，或重新显示"),
    ("deleteLine", "永久删除一条台词"),
    ("getConversationLine", "读取这个对话的一条台词"),
    ("editConversationLine", "修改这个对话的一条台词"),
    ("deleteConversationLine", "永久删除这个对话的一条台词"),
    ("getHistory", "这些人之间说过的话，以及有旁人在场时说过的话"),
    ("recall", "为即将开口的角色组织要发给聊天模型的消息"),
    ("perspective", "从一个角色的视角看一段不存储的台词"),
    ("scanLore", "搜索不存储的世界书：输入状态，返回生效的条目和新状态"),
    ("listCheckpoints", "列出检查点"),
    ("putCheckpoint", "为当前状态命名；已用的名称会移到这里"),
    ("getCheckpoint", "读取一个检查点"),
    ("deleteCheckpoint", "删除一个检查点"),
    ("restoreCheckpoint", "从某个检查点重新开始；不会删除任何内容"),
    ("getHealth", "服务器和数据文件是否正常"),
    ("getMetrics", "Prometheus 格式的计数"),
];

pub(crate) fn summary(operation: &str) -> Option<&'static str> {
    SUMMARIES.iter().find(|(id, _)| *id == operation).map(|(_, summary)| *summary)
}
