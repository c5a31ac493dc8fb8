import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import classes from './account-summary.module.css'
import { texts } from './texts.ts'

/** Name, role and company, at the top of the account menu. */
export function AccountSummary() {
  const words = useTexts(texts)
  const { user } = useSession()
  if (!user) return null
  return (
    <div className={classes.root}>
      <PersonAvatar id={user.id} name={user.name} size={40} online availability={user.availability} />
      <div className={classes.words}>
        <div className={classes.name}>{user.name}</div>
        <div className={classes.line}>
          {words.profiles[user.profile]} · {user.company.name}
        </div>
      </div>
    </div>
  )
}
