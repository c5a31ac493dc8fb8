import { AppError } from '../../kernel/errors.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Line } from '../../lines/line.ts'

/** What contacts ask of the company's default line. */
export type Phones = {
  /** The number as the provider writes it, null when nobody is there, undefined when no line can tell. */
  check(scope: Scope, number: string): Promise<string | null | undefined>
  /** The address book of the phone. */
  book(scope: Scope): Promise<{ number: string; name: string }[]>
}

/** A provider that does not answer must not hold a form for ever. */
const patienceMs = 10_000

export function phonesOf(running: (whatsappId: number) => Line | undefined): Phones {
  return {
    async check(scope, number) {
      const row = await defaultLine(scope)
      const line = row?.status === 'CONNECTED' ? running(row.id) : undefined
      return line && asked(() => line.checkNumber(number))
    },
    async book(scope) {
      const row = await defaultLine(scope)
      if (!row) throw new AppError('ERR_NO_DEF_WAPP_FOUND')
      const line = row.status === 'CONNECTED' ? running(row.id) : undefined
      if (!line || line.cannot.includes('contacts')) throw new AppError('ERR_WAPP_NOT_INITIALIZED')
      return asked(() => line.contacts())
    },
  }
}

export const noPhones: Phones = phonesOf(() => undefined)

const defaultLine = (scope: Scope) =>
  scope.db
    .selectFrom('whatsapps')
    .select(['id', 'status'])
    .where('companyId', '=', scope.companyId)
    .where('isDefault', '=', true)
    .executeTakeFirst()

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('ERR_WAPP_CHECK_CONTACT')), patienceMs)
  })
  try {
    return await Promise.race([ask(), late])
  } catch (cause) {
    throw Object.assign(new AppError('ERR_WAPP_CHECK_CONTACT'), { cause })
  } finally {
    clearTimeout(timer)
  }
}
