import { z } from 'zod'
import { get, put } from '../endpoint.ts'

/**
 * How much is asked of a new password: `strong` unless the super user chose `plain`, which is what the specification
 * takes, for the whole platform. Passwords that are there already go on opening.
 */
export const passwordRules = {
  plain: { min: 5, max: 50, common: true },
  strong: { min: 8, max: 128, common: false },
} as const
export type PasswordRule = keyof typeof passwordRules
const ruleNames = Object.keys(passwordRules) as [PasswordRule, ...PasswordRule[]]

/** As any rule may take it. Which one holds is asked when it is stored (`passwordProblem`). */
export const newPassword = z.string().min(passwordRules.plain.min).max(passwordRules.strong.max)
/** "" means: keep the password as it is, or send an invitation. */
export const optionalPassword = z.union([z.literal(''), newPassword]).nullish()

export const PlatformSettings = z.object({ passwords: z.enum(ruleNames) })
export type PlatformSettings = z.infer<typeof PlatformSettings>

export const platformApi = {
  show: get('/platform', {
    about: 'What holds for the whole platform: which passwords it takes',
    access: 'public',
    reply: PlatformSettings,
  }),
  update: put('/platform', {
    about: 'Choose what holds for the whole platform; passwords that are there already stay',
    access: 'super',
    body: PlatformSettings,
    example: { passwords: 'strong' },
    reply: PlatformSettings,
  }),
}
