import { chatsApi } from '@recado/contract/chats'
import { route } from '../../kernel/http/http.ts'
import { editInChat, reactInChat, sendToChat, unsayInChat } from './messages.ts'
import { createChat, directChat, leaveChat, mustBeIn, muteChat, readChat, removeChat, updateChat } from './people.ts'
import { mentionedTickets } from './tickets.ts'
import { detailsOf, findInChats, ownChat, pageOfChats, pageOfMessages } from './view.ts'

export const chatRoutes = [
  route(chatsApi.list, (scope, { query }) =>
    scope.plan.useInternalChat
      ? pageOfChats(scope, query.searchParam ?? '', query.pageNumber ?? 1)
      : { records: [], count: 0, hasMore: false },
  ),
  route(chatsApi.byUuid, (scope, { params }) => ownChat(scope, params)),
  route(chatsApi.details, async (scope, { params }) => {
    await mustBeIn(scope, params.id)
    return detailsOf(scope, params.id)
  }),
  route(chatsApi.found, async (scope, { query }) => {
    if (query.chatId) await mustBeIn(scope, query.chatId)
    if (query.searchParam.length < 2) return { records: [], hasMore: false }
    return findInChats(scope, query)
  }),
  route(chatsApi.tickets, (scope, { query }) => mentionedTickets(scope, query.numbers)),
  route(chatsApi.create, (scope, { body }) => createChat(scope, body)),
  route(chatsApi.direct, (scope, { params }) => directChat(scope, params.userId)),
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
  route(chatsApi.read, (scope, { params }) => readChat(scope, params.id)),
  route(chatsApi.messages, async (scope, { params, query }) => {
    await mustBeIn(scope, params.id)
    return pageOfMessages(scope, params.id, query)
  }),
  route(chatsApi.send, (scope, { params, body }, { uploads }) => sendToChat(scope, params.id, body, uploads)),
  route(chatsApi.edit, (scope, { params, body }) => editInChat(scope, params.id, params.messageId, body.message)),
  route(chatsApi.react, (scope, { params, body }) => reactInChat(scope, params.id, params.messageId, body.emoji)),
  route(chatsApi.unsay, (scope, { params }) => unsayInChat(scope, params.id, params.messageId)),
]
