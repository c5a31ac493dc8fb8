import type { Template } from '@recado/contract/cloud'
import type {
  accountStates,
  HealthEventKind,
  HealthLevel,
  lineQualities,
  nameDecisions,
} from '@recado/contract/health/line-health'
import type { LinePasskeyOptions, LinePasskeyStage } from '@recado/contract/health/line-passkeys'
import type { SandboxFaults } from '@recado/contract/sandbox'
import type { Generated, JSONColumnType } from 'kysely'
import type { NullableTimestampColumn, TimestampColumn } from '../kernel/data/tables.ts'

/** Provider data of the phones. Only this layer writes these tables; any other may join them. */
declare module '../kernel/data/tables.ts' {
  interface DB {
    lineLeases: {
      whatsappId: number
      companyId: number
      holder: string
      fence: Generated<number>
      until: TimestampColumn
      load: Generated<number>
      wantedBy: string | null
    }
    linkedKeys: {
      companyId: number
      whatsappId: number
      type: string
      id: string
      value: string
      updatedAt: TimestampColumn
    }
    linePasskeys: {
      companyId: number
      whatsappId: number
      fence: number
      stage: Generated<Exclude<LinePasskeyStage, 'none'>>
      options: JSONColumnType<LinePasskeyOptions, string, string>
      tokenHash: string | null
      assertionSealed: string | null
      code: Generated<string>
      expiresAt: TimestampColumn
    }
    webVersion: {
      id: Generated<boolean>
      pinned: string | null
      found: string | null
      foundAt: NullableTimestampColumn
      lookedUpAt: NullableTimestampColumn
      accepted: string | null
      acceptedAt: NullableTimestampColumn
      refused: string | null
      refusedAt: NullableTimestampColumn
    }
    cloudLines: {
      whatsappId: number
      companyId: number
      hook: Generated<string>
      phoneNumberId: Generated<string>
      businessAccountId: Generated<string>
      accessTokenSealed: Generated<string>
      appSecretSealed: Generated<string>
      verifyTokenSealed: Generated<string>
      platformApp: Generated<boolean>
      calledAt: NullableTimestampColumn
      templates: JSONColumnType<Template[], string | null | undefined, string | null> | null
      templatesAt: NullableTimestampColumn
    }
    cloudHealth: {
      companyId: number
      whatsappId: number
      quality: Generated<(typeof lineQualities)[number]>
      messagingLimit: number | null
      account: Generated<(typeof accountStates)[number]>
      accountUntil: NullableTimestampColumn
      nameDecision: Generated<(typeof nameDecisions)[number]>
      updatedAt: TimestampColumn
    }
    cloudHealthEvents: {
      id: Generated<number>
      companyId: number
      whatsappId: number
      key: string
      kind: HealthEventKind
      level: HealthLevel
      subject: Generated<string>
      value: Generated<string>
      before: Generated<string>
      reason: Generated<string>
      until: NullableTimestampColumn
      at: TimestampColumn
    }
    cloudSends: { companyId: number; whatsappId: number; wid: string; wamid: string | null; askedAt: TimestampColumn }
    cloudInbox: {
      id: Generated<number>
      companyId: number
      whatsappId: number
      events: JSONColumnType<Record<string, unknown>[], string, string>
      receivedAt: TimestampColumn
    }
    sandboxPhones: {
      whatsappId: number
      companyId: number
      linked: Generated<boolean>
      behaviour: JSONColumnType<Partial<SandboxFaults>, string | undefined, string>
    }
    sandboxCustomers: {
      companyId: number
      whatsappId: number
      number: string
      name: string
      isGroup: Generated<boolean>
      members: Generated<string[]>
      typingUntil: NullableTimestampColumn
      createdAt: TimestampColumn
    }
    sandboxMessages: {
      seq: Generated<number>
      companyId: number
      whatsappId: number
      chat: string
      id: string
      fromCustomer: boolean
      author: string | null
      kind: string
      body: Generated<string>
      content: JSONColumnType<Record<string, unknown>, string | undefined, string>
      mediaPath: string | null
      mediaName: string | null
      mediaType: string | null
      quotedId: string | null
      reaction: string | null
      isDeleted: Generated<boolean>
      isEdited: Generated<boolean>
      ack: Generated<number>
      at: TimestampColumn
      delivered: Generated<boolean>
    }
  }
}
