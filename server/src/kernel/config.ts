import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { days } from './clock.ts'
import { readS3Address } from './files/s3.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** Whether the value has only a scheme, host and port. */
const isOrigin = (v: string) =>
  /^https?:\/\//.test(v) && URL.canParse(v) && new URL(v).origin === v.replace(/\/$/, '').toLowerCase()
const origins = z
  .string()
  .default('')
  .transform((v) =>
    v
      .split(',')
      .map((s) => s.trim().replace(/\/$/, '').toLowerCase())
      .filter(Boolean),
  )
  .refine((all) => all.every(isOrigin), 'must be addresses like https://app.example, separated by commas')
const blankIsAbsent = <T extends z.ZodType>(of: T) => z.preprocess((v) => (v === '' ? undefined : v), of)

/** Empty: the URL from the provider's documentation is used. */
const providerUrl = blankIsAbsent(z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).default(''))

const defaultWhatsAppUrl = 'wss://web.whatsapp.com/ws/chat'
const defaultVersionUrl = 'https://web.whatsapp.com/sw.js'

/** The parts of the server that a process runs (docs/scale.md). */
export const processRoles = ['all', 'web', 'lines', 'jobs'] as const
export type ProcessRole = (typeof processRoles)[number]

/** Every setting of the operator, with its default. docs/operate.md lists the same names. */
const Environment = z.object({
  HOST: blankIsAbsent(z.string().default('127.0.0.1')),
  PORT: blankIsAbsent(z.coerce.number().int().min(0).max(65_535).default(3000)),
  DATA_DIR: blankIsAbsent(z.string().default('data')).transform((dir) => resolve(root, dir)),
  DATABASE_URL: blankIsAbsent(
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
      .optional(),
  ),
  ROLE: blankIsAbsent(z.enum(processRoles, `must be one of ${processRoles.join(', ')}`).default('all')),
  APP_SECRET: blankIsAbsent(z.string().min(32, 'must have at least 32 characters').optional()),
  PUBLIC_URL: blankIsAbsent(z.string().refine(isOrigin, 'must be an http(s) address without a path').optional()),
  SMTP_URL: blankIsAbsent(z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional()),
  MAIL_FROM: blankIsAbsent(z.string().default('Recado <no-reply@localhost>')),
  LOG_LEVEL: blankIsAbsent(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info')),
  METRICS_TOKEN: blankIsAbsent(z.string().min(16, 'must have at least 16 characters').optional()),
  CORS_ORIGINS: origins,
  TRUST_PROXY: blankIsAbsent(z.enum(['true', 'false']).default('false')).transform((v) => v === 'true'),
  ADMIN_EMAIL: blankIsAbsent(z.email().default('admin@recado.local')),
  ADMIN_PASSWORD: blankIsAbsent(z.string().min(8, 'must have at least 8 characters').max(50).optional()),
  OUTGOING_PRIVATE: blankIsAbsent(z.enum(['true', 'false']).default('false')).transform((v) => v === 'true'),
  GRAPH_API_URL: blankIsAbsent(
    z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).default('https://graph.facebook.com/v25.0'),
  ),
  META_APP_ID: blankIsAbsent(
    z
      .string()
      .regex(/^\d{1,40}$/, 'must be the number of an app at Meta')
      .optional(),
  ),
  META_APP_SECRET: blankIsAbsent(z.string().min(16, 'must have at least 16 characters').max(200).optional()),
  META_CONFIG_ID: blankIsAbsent(
    z
      .string()
      .regex(/^\d{1,40}$/, 'must be the number of a configuration')
      .optional(),
  ),
  WHATSAPP_URL: blankIsAbsent(
    z.url({ protocol: /^wss?$/, error: 'must be a ws(s) address' }).default(defaultWhatsAppUrl),
  ),
  WHATSAPP_VERSION_URL: blankIsAbsent(z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).optional()),
  DIALOGFLOW_API_URL: blankIsAbsent(
    z
      .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
      .default('https://dialogflow.googleapis.com/v2'),
  ),
  AI_MODEL: blankIsAbsent(z.string().trim().min(1).max(100, 'must have at most 100 characters').optional()),
  API_RATE: blankIsAbsent(z.coerce.number().int().min(1).max(100_000).default(60)),
  EFI_API_URL: providerUrl,
  ASAAS_API_URL: providerUrl,
  FILES_URL: blankIsAbsent(
    z
      .string()
      .refine((v) => readS3Address(v) !== null, 'must look like s3://KEY:SECRET@host/bucket?region=…&tls=…&style=…')
      .optional(),
  ),
  BACKUP_DIR: blankIsAbsent(z.string().optional()).transform((dir) => dir && resolve(root, dir)),
  BACKUP_PASSPHRASE: blankIsAbsent(z.string().min(12, 'must have at least 12 characters').optional()),
  BACKUP_HOUR: blankIsAbsent(z.coerce.number().int().min(0).max(23).default(4)),
  BACKUP_KEEP: blankIsAbsent(z.coerce.number().int().min(1).max(1000).default(7)),
  SESSION_DAYS: blankIsAbsent(z.coerce.number().min(1).max(3650).default(90)),
  UPLOAD_LIMIT_MB: blankIsAbsent(z.coerce.number().min(1).max(2048).default(64)),
  DISK_RESERVE_PERCENT: blankIsAbsent(z.coerce.number().min(0).max(90).default(5)),
})

export type Config = {
  host: string
  port: number
  dataDir: string
  databaseUrl: string | undefined
  /** The parts of the server that this process runs; default: all. */
  role?: ProcessRole
  appSecret: string
  publicUrl: string | undefined
  smtpUrl: string | undefined
  mailFrom: string
  logLevel: string
  metricsToken: string | undefined
  corsOrigins: string[]
  trustProxy: boolean
  adminEmail: string
  adminPassword: string | undefined
  /** Allows URLs chosen by companies and browsers to be in the server's own network. */
  privateTargets: boolean
  uploadLimit: number
  /** Share of the disk that is never used for files, so that the database can still write. */
  diskReservePercent: number
  /** Maximum session lifetime after a login, regardless of use. In milliseconds. */
  sessionTtlMs?: number
  /** Calls per second for each API key; twice as many in a burst after a pause. */
  apiRate: number
  /** Maximum open sockets per user; the default is more than the tabs that a user opens. */
  maxSocketsPerUser?: number
  /** Maximum time for a request body, in milliseconds. Uploads may take longer as long as data keeps arriving. */
  bodyTimeoutMs: number
  /** Timeout for calls to URLs chosen by companies or browsers. In milliseconds. */
  callTimeoutMs: number
  /** Base URL of Meta's official API, with its version. */
  graphUrl: string
  /** The app at Meta with which companies connect their numbers; absent: they enter ids and tokens by hand. */
  metaApp?: MetaApp | undefined
  /** Base URL of DialogFlow's API, with its version. */
  dialogflowUrl: string
  /** Base URLs of payment providers, if not the documented ones. */
  efiUrl?: string
  asaasUrl?: string
  /** The model of new prompts; absent: the first that the form offers. */
  aiModel?: string | undefined
  /** WhatsApp's address for linked phones; empty: linked phones are disabled. */
  whatsappUrl: string
  /** Where WhatsApp names its current version; empty: it is not looked up. */
  whatsappVersionUrl?: string
  webDir: string
  /** An S3-compatible file store; without it files are in `dataDir`. */
  filesUrl?: string | undefined
  /** Nightly backup: target, passphrase, hour (UTC) and the number of backups to keep. */
  backup?: BackupConfig | undefined
}
export type MetaApp = { id: string; secret: string; configId: string }
export type BackupConfig = { folder: string; passphrase: string; hour: number; keepCount: number }

export class ConfigError extends Error {}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const parsed = Environment.safeParse(env)
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('\n'))
  }
  const e = parsed.data
  if (e.BACKUP_DIR && !e.BACKUP_PASSPHRASE)
    throw new ConfigError('BACKUP_PASSPHRASE: without one nothing is backed up to BACKUP_DIR')
  if (e.ROLE !== 'all' && !e.DATABASE_URL)
    throw new ConfigError(`ROLE: with ${e.ROLE} there are others beside it, on the same DATABASE_URL`)
  const metaApp = { id: e.META_APP_ID, secret: e.META_APP_SECRET, configId: e.META_CONFIG_ID }
  if (Object.values(metaApp).some(Boolean) && !Object.values(metaApp).every(Boolean))
    throw new ConfigError('META_APP_ID, META_APP_SECRET, META_CONFIG_ID: set all three, or none')
  return {
    host: e.HOST,
    port: e.PORT,
    dataDir: e.DATA_DIR,
    databaseUrl: e.DATABASE_URL,
    role: e.ROLE,
    appSecret: e.APP_SECRET ?? loadOrCreateAppSecret(e.DATA_DIR),
    publicUrl: e.PUBLIC_URL?.replace(/\/$/, ''),
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM,
    logLevel: e.LOG_LEVEL,
    metricsToken: e.METRICS_TOKEN,
    corsOrigins: e.CORS_ORIGINS,
    trustProxy: e.TRUST_PROXY,
    adminEmail: e.ADMIN_EMAIL.toLowerCase(),
    adminPassword: e.ADMIN_PASSWORD,
    privateTargets: e.OUTGOING_PRIVATE,
    whatsappUrl: e.WHATSAPP_URL,
    // A WhatsApp of a test has no version page.
    whatsappVersionUrl: e.WHATSAPP_VERSION_URL ?? (e.WHATSAPP_URL === defaultWhatsAppUrl ? defaultVersionUrl : ''),
    dialogflowUrl: e.DIALOGFLOW_API_URL.replace(/\/$/, ''),
    graphUrl: e.GRAPH_API_URL.replace(/\/$/, ''),
    metaApp: metaApp.id ? (metaApp as MetaApp) : undefined,
    efiUrl: e.EFI_API_URL.replace(/\/$/, ''),
    asaasUrl: e.ASAAS_API_URL.replace(/\/$/, ''),
    aiModel: e.AI_MODEL,
    uploadLimit: Math.round(e.UPLOAD_LIMIT_MB * 1024 * 1024),
    diskReservePercent: e.DISK_RESERVE_PERCENT,
    apiRate: e.API_RATE,
    sessionTtlMs: Math.round(days(e.SESSION_DAYS)),
    bodyTimeoutMs: 30_000,
    callTimeoutMs: 5000,
    webDir: resolve(root, 'web/dist'),
    filesUrl: e.FILES_URL,
    ...(e.BACKUP_DIR &&
      e.BACKUP_PASSPHRASE && {
        backup: {
          folder: e.BACKUP_DIR,
          passphrase: e.BACKUP_PASSPHRASE,
          hour: e.BACKUP_HOUR,
          keepCount: e.BACKUP_KEEP,
        },
      }),
  }
}

/** Creates the app secret once and stores it beside the data: without it, encrypted values are unreadable. */
function loadOrCreateAppSecret(dataDir: string): string {
  const file = resolve(dataDir, 'app-secret')
  if (existsSync(`${file}.next`))
    throw new ConfigError(`DATA_DIR: ${file}.next says that a change of the secret was not finished: npm run reseal`)
  try {
    if (existsSync(file)) return readFileSync(file, 'utf8').trim()
    mkdirSync(dataDir, { recursive: true })
    const secret = randomBytes(48).toString('base64url')
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' })
    return secret
  } catch (error) {
    throw new ConfigError(`DATA_DIR: nothing can be kept there. ${(error as Error).message}`)
  }
}

/**
 * Checks that the address can be bound, before anything is created: the initial password is shown only once, and a
 * first run that failed later would have shown it in vain.
 */
export async function checkListenAddress({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const probe = createServer()
  await new Promise<void>((free, taken) => {
    probe.once('error', taken)
    probe.listen({ host, port }, () => probe.close(() => free()))
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new ConfigError(`PORT: ${port} is in use already on ${host}`)
    throw new ConfigError(`HOST, PORT: nobody can listen there. ${error.message}`)
  })
}
