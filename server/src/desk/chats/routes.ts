import { chatsApi } from '@recado/contract/chats'
import { route } from '../../kernel/http/routes.ts'
import {
  assertChatMember,
  createChat,
  leaveChat,
  markChatRead,
  muteChat,
  openDirectChat,
  removeChat,
  updateChat,
} from './members.ts'
import { findMentionedTickets } from './mentioned-tickets.ts'
import { deleteChatMessage, editChatMessage, reactToChatMessage, sendChatMessage } from './messages.ts'
import { findOwnChat, listChatMessages, listChats, loadChatDetails, searchChats } from './view.ts'

export const chatRoutes = [
  route(chatsApi.list, (scope, { query }) =>
    scope.plan.useInternalChat
      ? listChats(scope, query.searchParam ?? '', query.pageNumber ?? 1)
      : { records: [], count: 0, hasMore: false },
  ),
  route(chatsApi.byUuid, (scope, { params }) => findOwnChat(scope, params)),
  route(chatsApi.details, async (scope, { params }) => {
    await assertChatMember(scope, params.id)
    return loadChatDetails(scope, params.id)
  }),
  route(chatsApi.found, async (scope, { query }) => {
    if (query.chatId) await assertChatMember(scope, query.chatId)
    if (query.searchParam.length < 2) return { records: [], hasMore: false }
    return searchChats(scope, query)
  }),
  route(chatsApi.tickets, (scope, { query }) => findMentionedTickets(scope, query.numbers)),
  route(chatsApi.create, (scope, { body }) => createChat(scope, body)),
  route(chatsApi.direct, (scope, { params }) => openDirectChat(scope, params.userId)),
  route(chatsApi.update, (scope, { params, body }) => updateChat(scope, params.id, body)),
  route(chatsApi.remove, async (scope, { params }) => {
    await removeChat(scope, params.id)
    return { message: 'deleted' }
  }),
  route(chatsApi.leave, async (scope, { params }) => {
    await leaveChat(scope, params.id)
    return { message: 'left' }
  }),
  route(chatsApi.mute, (scope, { params, body }) => muteChat(scope, params.id, body.muted)),
  route(chatsApi.read, (scope, { params }) => markChatRead(scope, params.id)),
  route(chatsApi.messages, async (scope, { params, query }) => {
    await assertChatMember(scope, params.id)
    return listChatMessages(scope, params.id, query)
  }),
  route(chatsApi.send, (scope, { params, body }, { uploads }) => sendChatMessage(scope, params.id, body, uploads)),
  route(chatsApi.edit, (scope, { params, body }) => editChatMessage(scope, params.id, params.messageId, body.message)),
  route(chatsApi.react, (scope, { params, body }) =>
    reactToChatMessage(scope, params.id, params.messageId, body.emoji),
  ),
  route(chatsApi.unsay, (scope, { params }) => deleteChatMessage(scope, params.id, params.messageId)),
]
