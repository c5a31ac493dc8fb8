import type { Language } from '@recado/contract/users'
import type { Scope } from '../kernel/data/scope.ts'
import { outboundLaneName } from '../kernel/jobs.ts'
import type { Mail } from '../kernel/outgoing/mail.ts'
import { type MailTexts, mailTextsFor } from './mail-texts.ts'
import { loadSettings, readSettingValue } from './settings.ts'
import type { UserRow } from './user-view.ts'

/** Sends a mail in the user's language, or their company's. The job payload is sealed: the mail can open an account. */
export async function mailUser(
  scope: Scope,
  user: UserRow,
  buildMail: (texts: MailTexts, language: Language) => Omit<Mail, 'to'>,
): Promise<void> {
  const language =
    user.language ??
    (readSettingValue((await loadSettings(scope, [user.companyId])).get(user.companyId), 'language') as Language)
  const mail: Mail = { to: user.email, ...buildMail(mailTextsFor(language), language) }
  const sealed = scope.deps.vault.seal(JSON.stringify(mail))
  await scope.enqueueJob('mail:send', { sealed }, { queue: outboundLaneName('mail', user.id) })
}
