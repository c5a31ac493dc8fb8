import { z } from 'zod'
import { billingShape, billingWriteShape } from './billing.ts'
import {
  crud,
  email,
  flag,
  get,
  idParams,
  isoDateTime,
  messageReply,
  nullableRef,
  optionalText,
  post,
  put,
  ref,
  requiredName,
} from './endpoint.ts'
import { Hours, WeekHours } from './hours/hours.ts'
import { currencies } from './money/currency.ts'
import { newPassword, optionalPassword } from './passwords/passwords.ts'
import { optionalCurrency, Plan } from './plans.ts'
import { isTimeZone, Setting } from './settings.ts'

/** Recurrence -> months that a renewal adds. */
export const recurrenceMonths = { MENSAL: 1, BIMESTRAL: 2, TRIMESTRAL: 3, SEMESTRAL: 6, ANUAL: 12 } as const
export type Recurrence = keyof typeof recurrenceMonths
export const recurrenceNames = Object.keys(recurrenceMonths) as [Recurrence, ...Recurrence[]]

export const Company = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  planId: z.number().nullable(),
  plan: z.object({ id: z.number(), name: z.string() }).nullable(),
  status: z.boolean(),
  dueDate: isoDateTime.nullable(),
  recurrence: z.enum(recurrenceNames).nullable(),
  /** The currency of the next invoices; earlier ones keep theirs. */
  currency: z.enum(currencies),
  trialExpiration: isoDateTime.nullable(),
  referrerId: z.number().nullable(),
  settings: z.array(Setting),
  ...billingShape,
  createdAt: isoDateTime,
})
export type Company = z.infer<typeof Company>

/** The fields of a company that its users may read. */
export const CompanyProfile = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  planId: z.number().nullable(),
  dueDate: isoDateTime.nullable(),
  schedules: z.array(Hours),
  ...billingShape,
})

/** A date, a timestamp with zone, or empty; an invalid date counts as empty (spec, section 3). */
const dueDate = z.preprocess(
  (v) => (typeof v === 'string' && !Number.isNaN(Date.parse(v)) ? v : null),
  z.string().max(40).nullable(),
)

export const CompanyWrite = z.object({
  name: requiredName(2, 50),
  email: z.preprocess((v) => v || null, email.nullable()),
  phone: optionalText(40),
  planId: nullableRef('plan'),
  status: flag.default(true),
  campaignsEnabled: flag.default(false),
  dueDate,
  recurrence: z.preprocess((v) => v || null, z.enum(recurrenceNames).nullable()),
  /** Absent: unchanged; for a new company the currency of its telephone's country, if the plan has a price in it. */
  currency: optionalCurrency,
  /** The password of a new company's first admin; without it, the admin gets a mail to choose one. */
  password: optionalPassword,
  ...billingWriteShape,
})

/** Digits, and the plus of an international number. No number is longer than fifteen digits. */
const companyPhone = z.preprocess((v) => {
  const typed = String(v ?? '').trim()
  return (typed.startsWith('+') ? '+' : '') + typed.replace(/\D/g, '')
}, z.string().max(16))

/** Sign-up. Plan, due date and status are decided by the platform: values sent by a client are dropped. */
export const Signup = z.object({
  name: requiredName(2, 50),
  email,
  phone: companyPhone,
  password: newPassword,
  /** The name of the first admin. Older clients do not ask for it: the company's name is used then. */
  userName: requiredName(2, 50).optional(),
  companyId: nullableRef('company'),
  timeZone: z.string().max(60).refine(isTimeZone).optional().catch(undefined),
  language: z.enum(['es', 'pt', 'en']).optional().catch(undefined),
})

const example = {
  name: 'Ferretería Andina',
  email: 'hello@andina.example',
  phone: '11999990000',
  planId: null,
  status: true,
  campaignsEnabled: true,
  dueDate: '2027-01-31',
  recurrence: 'MENSAL' as const,
  billingName: 'Ferretería Andina S.R.L.',
  addressCity: 'Mendoza',
}

const plain = crud({
  path: '/companies',
  entity: 'company',
  plural: 'companies',
  row: Company,
  search: ['name'],
  topic: { name: () => 'platform-company' },
  write: CompanyWrite,
  example,
  read: 'super',
  edit: 'super',
})

export const companiesApi = {
  ...plain,
  signup: post('/companies/cadastro', {
    about:
      'Create a company on trial; `companyId` in the query names the company that referred it. The response is the same if the address already has an account; its owner then gets an e-mail',
    access: 'public',
    query: z.object({ companyId: nullableRef('company') }),
    body: Signup,
    example: {
      name: 'Panadería Sol',
      userName: 'Sol Rivas',
      email: 'owner@sol.example',
      phone: '+57 300 555 0192',
      password: 'a-good-password',
    },
    reply: messageReply,
  }),
  all: get('/companies/list', { about: 'Every company', access: 'super', reply: z.array(Company) }),
  show: get('/companies/:id', {
    about: 'The own company; any company for the super user',
    access: 'session',
    across: true,
    params: idParams('company'),
    reply: CompanyProfile,
  }),
  plan: get('/companies/listPlan/:id', {
    about: 'What the plan of the own company allows',
    access: 'session',
    across: true,
    params: idParams('company'),
    reply: z.object({ id: z.number(), plan: Plan }),
  }),
  schedules: put('/companies/:id/schedules', {
    about: 'The opening hours of the company',
    access: 'settings-page:edit',
    across: true,
    params: idParams('company'),
    body: z.object({ schedules: WeekHours }),
    example: { schedules: [{ weekday: 'Monday', weekdayEn: 'monday', startTime: '08:00', endTime: '18:00' }] },
    reply: CompanyProfile,
  }),
  renew: post('/companies/:id/renew', {
    about: 'Move the due date forward by the recurrence',
    access: 'super',
    params: z.object({ id: ref('company') }),
    reply: Company,
  }),
}
