import type { Hours } from '@recado/contract/hours'
import type { PlanFlag } from '@recado/contract/kit'
import type { Profile } from '@recado/contract/rules'
import type { Language } from '@recado/contract/users'
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** Moments leave the database as ISO text; both text and Date go in. */
type Moment = ColumnType<string, string | Date | undefined, string | Date>
type MomentOrNull = ColumnType<string | null, string | Date | null | undefined, string | Date | null>

type Tenant = { id: Generated<number>; companyId: number }

export interface DB {
  plans: { id: Generated<number>; name: string; users: number; connections: number; queues: number; value: number; createdAt: Moment } & Record<PlanFlag, boolean>
  companies: {
    id: Generated<number>
    name: string
    email: string | null
    phone: Generated<string>
    planId: number | null
    status: Generated<boolean>
    dueDate: string | null
    trialExpiration: string | null
    recurrence: 'MENSAL' | 'BIMESTRAL' | 'TRIMESTRAL' | 'SEMESTRAL' | 'ANUAL' | null
    schedules: JSONColumnType<Hours[], string | undefined, string>
    platform: Generated<boolean>
    referrerId: number | null
    createdAt: Moment
  }
  settings: { companyId: number; key: string; value: string }
  queues: Tenant & { name: string; color: string; orderQueue: number | null; createdAt: Moment; updatedAt: Moment }
  whatsapps: Tenant & { name: string; status: Generated<string>; isDefault: Generated<boolean>; createdAt: Moment; updatedAt: Moment }
  users: Tenant & {
    name: string
    email: string
    passwordHash: string
    profile: Profile
    super: Generated<boolean>
    active: Generated<boolean>
    allTicket: 'enabled' | 'desabled'
    whatsappId: number | null
    language: Language | null
    online: Generated<boolean>
    lastSeenAt: MomentOrNull
    createdAt: Moment
  }
  userQueues: { companyId: number; userId: number; queueId: number }
  sessions: { userId: number; companyId: number; id: string; generation: Generated<number>; rotatedAt: Moment; expiresAt: Moment }
  passwordResets: { userId: number; companyId: number; codeHash: string; tries: Generated<number>; expiresAt: Moment }
  contacts: Tenant & { name: string; number: string; email: Generated<string>; profilePicUrl: string | null; isGroup: Generated<boolean>; createdAt: Moment; updatedAt: Moment }
  tickets: Tenant & {
    uuid: Generated<string>
    contactId: number
    whatsappId: number | null
    queueId: number | null
    userId: number | null
    status: 'pending' | 'open' | 'closed'
    createdAt: Moment
    updatedAt: Moment
  }
  tags: Tenant & { name: string; color: string; kanban: Generated<number>; userId: number | null; createdAt: Moment }
  ticketTags: { companyId: number; ticketId: number; tagId: number }
  quickMessages: Tenant & {
    userId: number | null
    shortcode: string
    message: string
    geral: boolean
    status: boolean
    mediaPath: string | null
    mediaName: string | null
    createdAt: Moment
  }
  files: Tenant & { userId: number | null; name: string; message: string; createdAt: Moment }
  fileOptions: Tenant & { fileId: number; name: string; position: number; mediaPath: string | null; mediaName: string | null; mediaType: string | null }
  helps: { id: Generated<number>; title: string; description: string; video: string; createdAt: Moment }
  announcements: Tenant & { title: string; text: string; priority: number; status: boolean; mediaPath: string | null; mediaName: string | null; createdAt: Moment }
}
