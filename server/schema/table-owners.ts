import { readdirSync, readFileSync } from 'node:fs'

const src = new URL('../src/', import.meta.url)

/**
 * The owner of each table: a folder or a file of `src`. Only the owner inserts, updates or deletes its rows; other
 * modules call the owner. A table that is not listed belongs to the file that stores it with `makeRecords`. The
 * effects of references and triggers are defined in the migrations.
 */
const listedOwners: Record<string, string[]> = {
  'kernel/outgoing/push': ['platformSecrets'],
  'kernel/files': ['storedFiles'],
  // Written by socket.io's adapter.
  'kernel/live/peers': ['liveWords'],

  lines: ['lineLeases'],
  'lines/sandbox': ['sandboxPhones', 'sandboxCustomers', 'sandboxMessages'],
  'lines/cloud': ['cloudLines', 'cloudSends', 'cloudInbox', 'cloudHealth', 'cloudHealthEvents'],
  'lines/baileys': ['linkedKeys', 'groupSends', 'groupReads', 'webVersion', 'linePasskeys'],

  accounts: [
    'plans',
    'companies',
    'settings',
    'users',
    'userQueues',
    // Written by a trigger.
    'userOnline',
    'availabilitySpans',
    'userActivity',
    'passwordResets',
    'invitations',
    'pushSubscriptions',
    'sessions',
    'furtherSessions',
    'apiKeys',
    'audit',
    'auditContacts',
    'platformSettings',
  ],
  'accounts/two-factor': ['secondFactors', 'passkeys'],

  'accounts/money': ['invoices', 'charges', 'payments', 'moneySettings', 'moneyEvents', 'reminders', 'messagePrices'],

  'directory/connections': [
    'whatsapps',
    'whatsappQueues',
    'lineHistory',
    'linePaceDays',
    'lineSends',
    'lineSignups',
    'lineUp',
  ],
  'directory/queues': ['queues', 'queueOptions', 'closingReasons', 'closingFields'],
  'directory/contacts': [
    'contacts',
    'contactIdentities',
    'contactMerges',
    'contactFields',
    'deletedContacts',
    'deletedContactRows',
  ],
  'directory/ads': ['ads'],
  'directory/contact-lists': ['contactLists', 'contactListItems', 'listImports'],
  'directory/ai': ['prompts', 'promptTokens'],
  'directory/integrations': ['queueIntegrations', 'machineCalls'],
  'directory/webhooks': ['webhooks', 'webhookEvents', 'webhookHours'],
  'directory/ai/knowledge': ['knowledge', 'knowledgePieces'],
  // Written only by triggers.
  'directory/tallies': ['tallies'],
  'desk/tickets/pins': ['ticketPins'],
  // The members, tallies and changes are also written by triggers.
  'desk/ticket-views': [
    'ticketViews',
    'ticketViewQueues',
    'ticketViewMembers',
    'ticketViewTallies',
    'ticketViewChanges',
  ],
  'desk/macros': ['macros', 'macroQueues', 'macroRuns'],
  'desk/tickets/batches': ['ticketBatches', 'ticketBatchItems'],
  'desk/tickets/ticket-tallies': ['ticketTallies'],
  'directory/quick-messages': ['quickMessageQueues'],
  'directory/file-lists': ['files', 'fileOptions'],
  'accounts/platform': ['helps', 'announcements', 'backups'],

  'desk/tickets': ['tickets', 'ticketTracking', 'ticketEvents', 'ticketTags', 'ticketGoals', 'nextAnswers'],
  'desk/messages': ['messages', 'lineErrands', 'messageCosts'],
  'desk/drafts': ['drafts'],
  'desk/tasks': ['tasks'],
  'desk/notes': ['ticketNotes', 'noteMentions'],
  'desk/tickets/base/notices': ['notices'],
  'desk/chats': ['chats', 'chatUsers', 'chatMessages'],
  'desk/schedules': ['schedules'],
  'desk/campaigns': [
    'campaigns',
    'campaignSettings',
    'campaignShippings',
    'campaignStops',
    'campaignConsents',
    'campaignLines',
    'campaignNews',
  ],
  'desk/public-api': ['apiCalls'],
  'desk/rating': ['ratingRequests', 'userRatings'],
  'desk/menu-steps': ['menuSteps'],
  'desk/reports': [
    'figureNews',
    'figureCells',
    'figureTagNews',
    'figureTagCells',
    'figureTagCalendars',
    'figureCalendars',
  ],

  // Outside of the layers: imports write history directly, as the demo does.
  '../import-export': ['movedRows'],

  'automation/inbox': ['journal'],
  'automation/bots': ['menuTests'],
  'automation/bot-requests': ['asks'],
  'automation/flows': [
    ...['flows', 'flowVersions', 'flowTriggers', 'flowEvents', 'flowRuns', 'flowStepTallies', 'flowDays'],
    ...['flowTimers', 'flowDryRuns', 'flowTests'],
  ],
  'automation/routing': ['routingRequests', 'routingTurns', 'ticketOffers'],
  'automation/erasure': ['contactErasures'],
  'automation/integrations': ['webhookDeliveries'],
}

export const sourceFiles = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .sort()
/** The code of a source file without its comments. */
export const readCode = (file: string): string =>
  readFileSync(new URL(file, src), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
/** The tables that a piece of code stores with `makeRecords`. */
export const recordTablesIn = (code: string): string[] =>
  [...code.matchAll(/\bmakeRecords(?:<[^(]*>)?\(\s*'(\w+)'/g)].map(([, name]) => name as string)

/** Owner -> its tables. */
export function readTableOwners(): Record<string, string[]> {
  const owners = structuredClone(listedOwners)
  const listed = Object.values(owners).flat()
  for (const file of sourceFiles)
    for (const table of recordTablesIn(readCode(file)).filter((name) => !listed.includes(name))) {
      const owner = file.replace(/\.ts$/, '')
      owners[owner] = [...(owners[owner] ?? []), table]
    }
  return owners
}
