import { z } from 'zod'
import { get, put } from '../endpoint.ts'

/**
 * Rules for new passwords, platform-wide: `strong`, unless the super user chose `plain`, which is what the
 * specification accepts. Existing passwords stay valid.
 */
export const passwordRules = {
  plain: { min: 5, max: 50, common: true },
  strong: { min: 8, max: 128, common: false },
} as const
export type PasswordRule = keyof typeof passwordRules
const ruleNames = Object.keys(passwordRules) as [PasswordRule, ...PasswordRule[]]

/** The widest range of all rules. The rule in force is checked when the password is stored (`findPasswordProblem`). */
export const newPassword = z.string().min(passwordRules.plain.min).max(passwordRules.strong.max)
/** "" keeps the existing password; for a new user it sends an invitation. */
export const optionalPassword = z.union([z.literal(''), newPassword]).nullish()

export const PlatformSettings = z.object({ passwords: z.enum(ruleNames) })
export type PlatformSettings = z.infer<typeof PlatformSettings>

export const platformApi = {
  show: get('/platform', {
    about: 'Platform-wide rules for passwords',
    access: 'public',
    reply: PlatformSettings,
  }),
  update: put('/platform', {
    about: 'Change the platform-wide rules for passwords; existing passwords stay valid',
    access: 'super',
    body: PlatformSettings,
    example: { passwords: 'strong' },
    reply: PlatformSettings,
  }),
}
