import type { Connection, Provider } from '@recado/contract/connections'
import { usualProvider } from '@recado/contract/traits'
import type { CloudValues } from './cloud-fields.tsx'
import { type PaceValues, paceOf } from './pace-field.tsx'

type Minutes = number | ''
export type Values = {
  name: string
  provider: Provider
  isDefault: boolean
  queueIds: string[]
  promptId: number | null
  integrationId: number | null
  token: string
  cloud: CloudValues
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

export const valuesOf = (row: Connection | null): Values => ({
  name: row?.name ?? '',
  provider: row?.provider ?? usualProvider,
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
  pacing: paceOf(row?.pacing),
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
