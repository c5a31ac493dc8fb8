import { randomBytes } from 'node:crypto'
import type { Config } from '../kernel/config.ts'
import { hashPassword } from '../kernel/crypto.ts'
import { lockPlatformWide } from '../kernel/data/advisory-locks.ts'
import { type Deps, Scope } from '../kernel/data/scope.ts'
import { createCompany } from './create-company.ts'

/**
 * On an empty database: creates the platform's company and its super user (the migration created plans 1 and 2).
 * Returns the new user only on this first call.
 */
export async function seedDatabase(
  deps: Deps,
  config: Pick<Config, 'adminEmail' | 'adminPassword'>,
): Promise<{ email: string; password: string | null } | null> {
  const scope = new Scope(deps, { companyId: 0, wide: true })
  const password = config.adminPassword ?? randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(password)
  return scope.transaction(async (tx) => {
    await lockPlatformWide(tx, 'seed')
    if (await tx.db.selectFrom('companies').select('id').limit(1).executeTakeFirst()) return null
    const company = {
      name: 'Recado',
      email: config.adminEmail,
      phone: '',
      planId: 2,
      dueDate: null,
      recurrence: null,
      platform: true,
    }
    await createCompany(
      tx,
      company,
      { name: 'Admin', email: config.adminEmail, passwordHash, super: true, hasInitialPassword: true },
      { campaignsEnabled: 'true' },
    )
    return { email: config.adminEmail, password: config.adminPassword ? null : password }
  })
}
