import { Button, TextInput } from '@mantine/core'
import { invitationValidDays } from '@recado/contract/users'
import { IconCopy } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { copyText } from '../../lib/copy.ts'
import { errorText } from '../../lib/errors.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { userTexts } from '../../parts/user-texts.ts'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { SheetFooter } from '../../ui/sheet.tsx'
import { bulkInviteTexts } from './bulk-invite-texts.ts'
import type { Invitee, RejectedEntry } from './parse-invitees.ts'
import classes from './users.module.css'

/** `url`: the link to pass on if the server sends no mail. */
export type BulkInviteResult = Invitee & { url: string | null; error: unknown }

type Props = { results: BulkInviteResult[]; rejected: RejectedEntry[]; onClose: () => void }

/** Each person's link or sent mail, how the links work, and who was not invited and why. */
export function BulkInviteResults({ results, rejected, onClose }: Props) {
  const words = useTexts(bulkInviteTexts)
  const common = useTexts(userTexts)
  const invited = results.filter(({ error }) => error === null)
  const refused = results.filter(({ error }) => error !== null)
  const links = invited.flatMap(({ name, email, url }) => (url === null ? [] : [`${name} <${email}>: ${url}`]))
  const copy = (text: string, copied: string, { currentTarget }: MouseEvent<HTMLElement>) =>
    void copyText(text, currentTarget).then((done) => done && toast.ok(copied))
  return (
    <>
      <div className={classes.body}>
        {invited.length > 0 && (
          <InlineNotice kind="info">
            {(links.length > 0 ? words.passOn : words.mailed)(invited.length, invitationValidDays)}
          </InlineNotice>
        )}
        {invited.length > 0 && (
          <ul className={classes.results} aria-label={words.invited(invited.length)}>
            {invited.map(({ name, email, url }) => (
              <li key={email} className={classes.result}>
                <span className={classes.address}>{name}</span>
                <span className={classes.detail}>{url === null ? words.sentTo(email) : email}</span>
                {url !== null && (
                  <span className={classes.link}>
                    <TextInput readOnly aria-label={`${common.link}: ${email}`} value={url} />
                    <Button
                      variant="default"
                      aria-label={`${common.copyLink}: ${email}`}
                      leftSection={<IconCopy size={16} stroke={1.75} />}
                      onClick={(event) => copy(url, common.copied, event)}
                    >
                      {words.copy}
                    </Button>
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
        {refused.length + rejected.length > 0 && (
          <section className={classes.rejected} aria-label={words.notInvited}>
            <h3 className={classes.rejectedTitle}>{words.notInvited}</h3>
            <ul className={classes.results}>
              {refused.map(({ email, error }) => (
                <li key={email} className={classes.result}>
                  <span className={classes.address}>{email}</span>
                  <span className={classes.problem}>{errorText(error)}</span>
                </li>
              ))}
              {rejected.map(({ typed, reason }) => (
                <li key={`${reason} ${typed}`} className={classes.problem}>
                  {words.rejections[reason](typed)}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      <SheetFooter>
        {links.length > 0 && (
          <Button
            variant="default"
            leftSection={<IconCopy size={17} stroke={1.75} />}
            onClick={(event) => copy(links.join('\n'), words.allCopied(links.length), event)}
          >
            {words.copyAll}
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          {words.done}
        </Button>
      </SheetFooter>
    </>
  )
}
