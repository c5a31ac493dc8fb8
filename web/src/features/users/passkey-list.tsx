import { ActionIcon, Button, TextInput } from '@mantine/core'
import { type Passkey, passkeysApi } from '@recado/contract/passwords/passkeys'
import { IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, callApi } from '../../lib/api.ts'
import { canUsePasskeys } from '../../lib/can-use-passkeys.ts'
import { useErrorText } from '../../lib/errors.ts'
import { formatDay } from '../../lib/format.ts'
import { createPasskey, isPasskeyCancelled } from '../../lib/passkeys.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { passwordTexts } from '../../parts/password-texts.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { passkeyTexts } from './passkey-texts.ts'
import classes from './security.module.css'

type PasskeyAction = { what: 'add' } | { what: 'rename' | 'remove'; one: Passkey }

/** The user's passkeys: list, add, rename, remove. */
export function PasskeyList() {
  const words = useTexts(passkeyTexts)
  const [action, setDoing] = useState<PasskeyAction | null>(null)
  const list = useQuery({
    queryKey: ['security', 'passkeys'],
    queryFn: () => callApi(passkeysApi.list),
    staleTime: 0,
  })
  return (
    <section>
      <h3 className={classes.head}>
        <IconFingerprint size={18} stroke={1.75} aria-hidden="true" />
        {words.title}
      </h3>
      <p className={classes.line}>{words.line}</p>
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && list.data.passkeys.length > 0 && (
        <ul className={classes.logins}>
          {list.data.passkeys.map((one) => (
            <li key={one.id}>
              <span>{one.name}</span>
              <small>
                {one.lastUsedAt ? words.used(formatDay(one.lastUsedAt)) : words.added(formatDay(one.createdAt))}
              </small>
              <ActionIcon aria-label={words.renameNamed(one.name)} onClick={() => setDoing({ what: 'rename', one })}>
                <IconPencil size={16} stroke={1.75} />
              </ActionIcon>
              <ActionIcon aria-label={words.removeNamed(one.name)} onClick={() => setDoing({ what: 'remove', one })}>
                <IconTrash size={16} stroke={1.75} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      {action ? (
        <PasskeyForm
          key={action.what === 'add' ? 'add' : `${action.what} ${action.one.id}`}
          action={action}
          onDone={() => setDoing(null)}
        />
      ) : canUsePasskeys() ? (
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => setDoing({ what: 'add' })}>
            {words.add}
          </Button>
        </div>
      ) : (
        <p className={classes.line}>{words.notHere}</p>
      )}
    </section>
  )
}

function PasskeyForm({ action, onDone }: { action: PasskeyAction; onDone: () => void }) {
  const words = useTexts(passkeyTexts)
  const passwords = useTexts(passwordTexts)
  const errorText = useErrorText()
  const client = useQueryClient()
  const [name, setName] = useState<string>(action.what === 'rename' ? action.one.name : words.usualName)
  const [currentPassword, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)
  const act = async () => {
    setBusy(true)
    setFailed(null)
    try {
      if (action.what === 'add') {
        const offer = await callApi(passkeysApi.offer, { body: { currentPassword } })
        const credential = await createPasskey(offer)
        await callApi(passkeysApi.add, { body: { name: name.trim() || words.usualName, credential } })
        toast.ok(words.kept)
      } else if (action.what === 'rename') {
        await callApi(passkeysApi.rename, {
          params: { id: action.one.id },
          body: { name: name.trim() || action.one.name },
        })
        toast.ok(words.renamed)
      } else {
        await callApi(passkeysApi.remove, { params: { id: action.one.id }, body: { currentPassword } })
        toast.ok(words.removed)
      }
      await client.invalidateQueries({ queryKey: ['security'] })
      onDone()
    } catch (error) {
      if (!isPasskeyCancelled(error)) setFailed(error)
      setBusy(false)
    }
  }
  const isPassword = failed instanceof ApiError && failed.code === 'ERR_CURRENT_PASSWORD'
  // The browser reports that this device already has one of the user's passkeys.
  const isKnown = failed instanceof DOMException && failed.name === 'InvalidStateError'
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        void act()
      }}
    >
      {action.what === 'remove' ? (
        <p className={classes.line}>{words.removeLine(action.one.name)}</p>
      ) : (
        <TextInput
          label={words.name}
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      {action.what !== 'rename' && (
        <PasswordField
          label={passwords.current}
          name="currentPassword"
          autoComplete="current-password"
          value={currentPassword}
          onChange={setPassword}
          error={isPassword ? errorText(failed) : undefined}
        />
      )}
      {failed !== null && !isPassword && (
        <p className={classes.wrong} role="alert">
          {isKnown ? words.known : errorText(failed)}
        </p>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onDone}>
          {words.cancel}
        </Button>
        <Button type="submit" loading={busy} {...(action.what === 'remove' && { color: 'red' })}>
          {{ add: words.create, rename: words.rename, remove: words.remove }[action.what]}
        </Button>
      </div>
    </form>
  )
}
