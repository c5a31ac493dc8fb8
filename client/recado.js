// Made from the contract by `npm run client`.
import { makeCall } from './core.js'

export { RecadoError, verifyWebhook } from './core.js'

const endpoints = {
  users: {
    everyone: ['GET', '/users/list', ['companyId'], ''],
  },
  queues: {
    list: ['GET', '/queue', ['companyId'], ''],
    closingForms: ['GET', '/queue/closing-forms', [], ''],
    show: ['GET', '/queue/:id', [], ''],
  },
  contacts: {
    list: ['GET', '/contacts', ['searchParam', 'date', 'dateStart', 'dateEnd', 'kind', 'pageNumber', 'sortBy'], ''],
    show: ['GET', '/contacts/:id', [], ''],
    create: ['POST', '/contacts', [], ''],
    update: ['PUT', '/contacts/:id', [], ''],
    remove: ['DELETE', '/contacts/:id', [], ''],
    all: ['GET', '/contacts/list', ['name'], ''],
    export: ['GET', '/contacts/export', ['searchParam', 'date', 'dateStart', 'dateEnd', 'kind'], ''],
    media: ['GET', '/contacts/:id/media', ['pageNumber'], ''],
    tickets: ['GET', '/contacts/:id/tickets', ['pageNumber'], ''],
  },
  tags: {
    list: ['GET', '/tags', ['searchParam', 'pageNumber'], ''],
    show: ['GET', '/tags/:id', [], ''],
    create: ['POST', '/tags', [], ''],
    update: ['PUT', '/tags/:id', [], ''],
    remove: ['DELETE', '/tags/:id', [], ''],
    all: ['GET', '/tags/list', ['searchParam'], ''],
  },
  tickets: {
    list: [
      'GET',
      '/tickets',
      [
        'searchParam',
        'pageNumber',
        'status',
        'date',
        'updatedAt',
        'showAll',
        'withUnreadMessages',
        'order',
        'snoozed',
        'queueIds',
        'tags',
        'users',
        'ads',
        'viewId',
      ],
      '',
    ],
    counts: ['GET', '/tickets/counts', ['showAll', 'queueIds'], ''],
    show: ['GET', '/tickets/:id', [], ''],
    byUuid: ['GET', '/tickets/u/:uuid', [], ''],
    create: ['POST', '/tickets', [], ''],
    update: ['PUT', '/tickets/:id', [], ''],
    closings: ['GET', '/tickets/:id/closings', [], ''],
    snooze: ['PUT', '/tickets/:id/snooze', [], ''],
    unsnooze: ['DELETE', '/tickets/:id/snooze', [], ''],
    happenings: ['GET', '/tickets/:id/events', ['pageNumber', 'deeds'], ''],
    syncTags: ['POST', '/tags/sync', [], ''],
  },
  messages: {
    list: ['GET', '/messages/:ticketId', ['pageNumber', 'markAsRead'], ''],
    search: ['GET', '/messages/:ticketId/search', ['searchParam', 'before'], ''],
  },
  notes: {
    list: ['GET', '/ticket-notes/list', ['ticketId', 'contactId'], ''],
    create: ['POST', '/ticket-notes', [], ''],
    remove: ['DELETE', '/ticket-notes/:id', [], ''],
  },
  sending: {
    send: ['POST', '/api/messages/send', [], 'medias'],
    show: ['GET', '/api/messages/:id', [], ''],
    list: ['GET', '/api/messages', ['since', 'limit', 'number', 'whatsappId'], ''],
    check: ['POST', '/api/contacts/check', [], ''],
  },
  webhooks: {
    list: ['GET', '/webhooks', ['searchParam', 'pageNumber'], ''],
    show: ['GET', '/webhooks/:id', [], ''],
    create: ['POST', '/webhooks', [], ''],
    update: ['PUT', '/webhooks/:id', [], ''],
    remove: ['DELETE', '/webhooks/:id', [], ''],
  },
  webhookTools: {
    secret: ['POST', '/webhooks/:id/secret', [], ''],
    deliveries: ['GET', '/webhooks/:id/deliveries', ['before', 'failed'], ''],
    delivery: ['GET', '/webhooks/:id/deliveries/:deliveryId', [], ''],
    again: ['POST', '/webhooks/:id/deliveries/:deliveryId/again', [], ''],
    replay: ['POST', '/webhooks/:id/replay', [], ''],
    test: ['POST', '/webhooks/:id/test', [], ''],
  },
}

export function connect(options) {
  const call = makeCall(options)
  const bound = ([name, endpoint]) => [name, (input, how) => call(endpoint, input, how)]
  return Object.fromEntries(
    Object.entries(endpoints).map(([name, group]) => [name, Object.fromEntries(Object.entries(group).map(bound))]),
  )
}
