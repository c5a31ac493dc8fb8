import { assistApi } from './ai/assist.ts'
import { knowledgeApi } from './ai/knowledge.ts'
import { promptsApi, promptTriesApi } from './ai/prompts.ts'
import { announcementsApi } from './announcements.ts'
import { apiKeysApi } from './api-access/api-keys.ts'
import { apiMessagesApi } from './api-access/api-messages.ts'
import { auditApi } from './api-access/audit.ts'
import { contactErasureApi, exportsApi } from './api-access/export-and-erasure.ts'
import { webhooksApi, webhookToolsApi } from './api-access/webhooks.ts'
import { authApi } from './auth.ts'
import { boardApi } from './board/board.ts'
import { adsApi } from './campaigns/ads.ts'
import { campaignStopsApi, campaignsApi } from './campaigns/campaigns.ts'
import { contactListItemsApi, contactListsApi } from './campaigns/contact-lists.ts'
import { campaignSettingsApi } from './campaigns/settings.ts'
import { chatsApi } from './chats.ts'
import { templatesApi } from './cloud.ts'
import { companiesApi } from './companies.ts'
import { connectionsApi } from './connections.ts'
import { contactDuplicatesApi } from './contact-duplicates/contact-duplicates.ts'
import { contactsApi } from './contacts.ts'
import { dashboardApi } from './dashboard/dashboard.ts'
import { reportSectionsApi } from './dashboard/report-sections.ts'
import type { Endpoint } from './endpoint.ts'
import { filesApi } from './files.ts'
import { flowHooksApi } from './flows/flow-hooks.ts'
import { flowTestsApi } from './flows/flow-tests.ts'
import { flowsApi } from './flows/flows.ts'
import { healthApi } from './health/health.ts'
import { lineMoveApi } from './health/line-move.ts'
import { linePasskeysApi } from './health/line-passkeys.ts'
import { lineSignupApi } from './health/line-signup.ts'
import { passkeyLinkingApi } from './health/passkey-linking.ts'
import { webVersionApi } from './health/web-version.ts'
import { helpsApi } from './helps.ts'
import { externalCallsApi } from './integrations/external-calls.ts'
import { integrationsApi, integrationToolsApi } from './integrations/integrations.ts'
import { macrosApi } from './macros/macros.ts'
import { messagesApi } from './messages.ts'
import { invoicesApi } from './money/invoices.ts'
import { messagePricesApi } from './money/message-prices.ts'
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
import { routingApi } from './routing/live.ts'
import { offersApi } from './routing/offers.ts'
import { skillsApi } from './routing/skills.ts'
import { sandboxApi } from './sandbox.ts'
import { draftsApi } from './schedules/drafts.ts'
import { schedulesApi } from './schedules/schedules.ts'
import { tasksApi } from './schedules/tasks.ts'
import { serverApi, storageApi } from './server.ts'
import { settingsApi } from './settings.ts'
import { tagsApi } from './tags.ts'
import { ticketBatchesApi } from './tickets/ticket-batches.ts'
import { notesApi, ticketsApi } from './tickets.ts'
import type { RecordTopic } from './topic.ts'
import { usersApi } from './users.ts'
import { ticketViewsApi } from './views/ticket-views.ts'

/** Every endpoint by section, for the API page and for the tests that walk the contract. */
export const api = {
  auth: authApi,
  twoFactor: twoFactorApi,
  passkeys: passkeysApi,
  platform: platformApi,
  webVersion: webVersionApi,
  messagePrices: messagePricesApi,
  lineMove: lineMoveApi,
  lineSignup: lineSignupApi,
  passkeyLinking: passkeyLinkingApi,
  linePasskeys: linePasskeysApi,
  companies: companiesApi,
  plans: plansApi,
  users: usersApi,
  settings: settingsApi,
  connections: connectionsApi,
  queues: queuesApi,
  queueOptions: queueOptionsApi,
  sandbox: sandboxApi,
  contacts: contactsApi,
  contactDuplicates: contactDuplicatesApi,
  erasing: contactErasureApi,
  tags: tagsApi,
  quickMessages: quickMessagesApi,
  files: filesApi,
  helps: helpsApi,
  announcements: announcementsApi,
  drafts: draftsApi,
  tickets: ticketsApi,
  ticketViews: ticketViewsApi,
  board: boardApi,
  routing: routingApi,
  skills: skillsApi,
  offers: offersApi,
  messages: messagesApi,
  papers: exportsApi,
  templates: templatesApi,
  ticketBatches: ticketBatchesApi,
  flows: flowsApi,
  flowTests: flowTestsApi,
  flowHooks: flowHooksApi,
  macros: macrosApi,
  notes: notesApi,
  notices: noticesApi,
  tasks: tasksApi,
  chats: chatsApi,
  schedules: schedulesApi,
  contactLists: contactListsApi,
  contactListItems: contactListItemsApi,
  campaigns: campaignsApi,
  ads: adsApi,
  campaignSettings: campaignSettingsApi,
  campaignStops: campaignStopsApi,
  prompts: promptsApi,
  promptTries: promptTriesApi,
  knowledge: knowledgeApi,
  assist: assistApi,
  integrations: integrationsApi,
  integrationTools: integrationToolsApi,
  machineCalls: externalCallsApi,
  sending: apiMessagesApi,
  apiKeys: apiKeysApi,
  audit: auditApi,
  dashboard: dashboardApi,
  moreFigures: reportSectionsApi,
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
/** Only the endpoints of each section, without its topics and definitions. */
export const endpointsBySection: Record<string, Record<string, Endpoint>> = Object.fromEntries(
  Object.entries(api).map(([name, section]) => [
    name,
    Object.fromEntries(
      Object.entries(section as object).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
    ),
  ]),
)
export const endpoints: Endpoint[] = Object.values(endpointsBySection).flatMap((section) => Object.values(section))

export const recordTopics: RecordTopic[] = Object.values(api).flatMap((section) =>
  'topic' in section ? [section.topic] : [],
)
