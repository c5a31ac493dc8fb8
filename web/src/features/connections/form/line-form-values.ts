import type { Connection, LineProvider } from '@recado/contract/connections'
import { defaultLineProvider } from '@recado/contract/line-traits'
import type { CloudAccountValues } from './cloud-account-fields.tsx'
import { type PaceValues, toPaceValues } from './pace-field.tsx'

type Minutes = number | ''
export type LineFormValues = {
  name: string
  provider: LineProvider
  isDefault: boolean
  queueIds: string[]
  promptId: number | null
  integrationId: number | null
  token: string
  cloud: CloudAccountValues
  pacing: PaceValues
  greetingMessage: string
  complationMessage: string
  outOfHoursMessage: string
  ratingMessage: string
  timeToTransfer: Minutes
  transferQueueId: string | null
  expiresTicket: Minutes
  expiresInactiveMessage: string
  timeUseBotQueues: Minutes
  maxUseBotQueues: Minutes
}

export const toLineFormValues = (row: Connection | null): LineFormValues => ({
  name: row?.name ?? '',
  provider: row?.provider ?? defaultLineProvider,
  isDefault: row?.isDefault ?? false,
  queueIds: row?.queues.map(({ id }) => String(id)) ?? [],
  promptId: row?.promptId ?? null,
  integrationId: row?.integrationId ?? null,
  token: row?.token ?? '',
  cloud: {
    phoneNumberId: row?.cloud?.phoneNumberId ?? '',
    businessAccountId: row?.cloud?.businessAccountId ?? '',
    accessToken: '',
    appSecret: '',
    verifyToken: row?.cloud?.verifyToken ?? '',
  },
  pacing: toPaceValues(row?.pacing),
  greetingMessage: row?.greetingMessage ?? '',
  complationMessage: row?.complationMessage ?? '',
  outOfHoursMessage: row?.outOfHoursMessage ?? '',
  ratingMessage: row?.ratingMessage ?? '',
  timeToTransfer: row?.timeToTransfer ?? '',
  transferQueueId: row?.transferQueueId ? String(row.transferQueueId) : null,
  expiresTicket: row?.expiresTicket ?? 0,
  expiresInactiveMessage: row?.expiresInactiveMessage ?? '',
  timeUseBotQueues: row?.timeUseBotQueues ?? 0,
  maxUseBotQueues: row?.maxUseBotQueues ?? 3,
})
