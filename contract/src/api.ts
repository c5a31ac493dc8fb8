import { announcementsApi } from './announcements.ts'
import { authApi } from './auth.ts'
import { boardApi } from './board/board.ts'
import { campaignStopsApi, campaignsApi } from './campaigns/campaigns.ts'
import { contactListItemsApi, contactListsApi } from './campaigns/contact-lists.ts'
import { campaignSettingsApi } from './campaigns/settings.ts'
import { chatsApi } from './chats.ts'
import { templatesApi } from './cloud.ts'
import { companiesApi } from './companies.ts'
import { connectionsApi } from './connections.ts'
import { contactsApi } from './contacts.ts'
import { dashboardApi } from './dashboard/dashboard.ts'
import { moreFiguresApi } from './dashboard/more.ts'
import { auditApi } from './doors/audit.ts'
import { keysApi } from './doors/keys.ts'
import { erasingApi, papersApi } from './doors/moving.ts'
import { sendingApi } from './doors/sending.ts'
import { webhooksApi, webhookToolsApi } from './doors/webhooks.ts'
import { filesApi } from './files.ts'
import { healthApi } from './health/health.ts'
import { helpsApi } from './helps.ts'
import type { Endpoint } from './kit.ts'
import { assistApi } from './machines/assist.ts'
import { machineCallsApi } from './machines/calls.ts'
import { integrationsApi, integrationToolsApi } from './machines/integrations.ts'
import { knowledgeApi } from './machines/knowledge.ts'
import { promptsApi, tryApi } from './machines/prompts.ts'
import { messagesApi } from './messages.ts'
import { invoicesApi } from './money/invoices.ts'
import { moneyApi } from './money/platform.ts'
import { subscriptionApi } from './money/subscription.ts'
import { noticesApi } from './notices.ts'
import { passkeysApi } from './passwords/passkeys.ts'
import { platformApi } from './passwords/passwords.ts'
import { twoFactorApi } from './passwords/two-factor.ts'
import { plansApi } from './plans.ts'
import { pushApi } from './push.ts'
import { queueOptionsApi } from './queue-options.ts'
import { queuesApi } from './queues.ts'
import { quickMessagesApi } from './quick-messages.ts'
import { sandboxApi } from './sandbox.ts'
import { schedulesApi } from './schedules/schedules.ts'
import { serverApi, storageApi } from './server.ts'
import { settingsApi } from './settings.ts'
import { tagsApi } from './tags.ts'
import { notesApi, ticketsApi } from './tickets.ts'
import type { RecordTopic } from './topic.ts'
import { usersApi } from './users.ts'

/** Every endpoint by section, for the API page and for the tests that walk the contract. */
export const api = {
  auth: authApi,
  twoFactor: twoFactorApi,
  passkeys: passkeysApi,
  platform: platformApi,
  companies: companiesApi,
  plans: plansApi,
  users: usersApi,
  settings: settingsApi,
  connections: connectionsApi,
  queues: queuesApi,
  queueOptions: queueOptionsApi,
  sandbox: sandboxApi,
  contacts: contactsApi,
  erasing: erasingApi,
  tags: tagsApi,
  quickMessages: quickMessagesApi,
  files: filesApi,
  helps: helpsApi,
  announcements: announcementsApi,
  tickets: ticketsApi,
  board: boardApi,
  messages: messagesApi,
  papers: papersApi,
  templates: templatesApi,
  notes: notesApi,
  notices: noticesApi,
  chats: chatsApi,
  schedules: schedulesApi,
  contactLists: contactListsApi,
  contactListItems: contactListItemsApi,
  campaigns: campaignsApi,
  campaignSettings: campaignSettingsApi,
  campaignStops: campaignStopsApi,
  prompts: promptsApi,
  promptTries: tryApi,
  knowledge: knowledgeApi,
  assist: assistApi,
  integrations: integrationsApi,
  integrationTools: integrationToolsApi,
  machineCalls: machineCallsApi,
  sending: sendingApi,
  apiKeys: keysApi,
  audit: auditApi,
  dashboard: dashboardApi,
  moreFigures: moreFiguresApi,
  webhooks: webhooksApi,
  webhookTools: webhookToolsApi,
  push: pushApi,
  invoices: invoicesApi,
  subscription: subscriptionApi,
  money: moneyApi,
  health: healthApi,
  server: serverApi,
  storage: storageApi,
}

const isEndpoint = (one: object): one is Endpoint => 'method' in one
/** The endpoints alone, without what else a section says of its records. */
export const sections: Record<string, Record<string, Endpoint>> = Object.fromEntries(
  Object.entries(api).map(([name, section]) => [
    name,
    Object.fromEntries(
      Object.entries(section as object).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
    ),
  ]),
)
export const endpoints: Endpoint[] = Object.values(sections).flatMap((section) => Object.values(section))

export const recordTopics: RecordTopic[] = Object.values(api).flatMap((section) =>
  'topic' in section ? [section.topic] : [],
)
