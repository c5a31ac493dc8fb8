import { z } from 'zod'
import { get } from './endpoint.ts'

export const serverApi = {
  root: get('/', {
    about: 'Whether the server answers, for clients that ask before they show their login. A browser gets the app here',
    access: 'public',
    reply: z.object({ version: z.string() }),
  }),
  version: get('/version', {
    about: 'The version of Recado, and the maximum size of one file in bytes',
    access: 'public',
    reply: z.object({ version: z.string(), uploadLimit: z.number() }),
  }),
}

/** Share of the plan's storage at which admins are warned. */
export const storageWarningRatio = 0.8

export const storageApi = {
  usage: get('/storage', {
    about: 'How many bytes the files of the company use, and how many its plan allows; null means no limit',
    access: 'settings-page:edit',
    reply: z.object({ bytes: z.number(), quotaBytes: z.number().nullable() }),
  }),
}

/**
 * The paths of the web app's screens. The server answers them with the app's page; a test of the web app keeps the list
 * complete.
 */
export const screenAddresses: readonly string[] = [
  '/',
  '/announcements',
  '/campaign',
  '/campaigns',
  '/campaigns-config',
  '/chats',
  '/connections',
  '/contact-lists',
  '/contacts',
  '/figures',
  '/files',
  '/financeiro',
  '/flows',
  '/forgetpsw',
  '/health',
  '/helps',
  '/invitation',
  '/kanban',
  '/live',
  '/login',
  '/messages-api',
  '/money',
  '/phone',
  '/prompts',
  '/queue-integration',
  '/queues',
  '/quick-messages',
  '/receipt',
  '/rules',
  '/schedules',
  '/settings',
  '/signup',
  '/subscription',
  '/tags',
  '/tickets',
  '/todolist',
  '/users',
]

/** Whether a path belongs to a screen: /tickets/7 belongs to /tickets, and / matches only itself. */
export const isScreenAddress = (path: string): boolean =>
  screenAddresses.some((address) => path === address || (address !== '/' && path.startsWith(`${address}/`)))
