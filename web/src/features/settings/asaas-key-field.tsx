import { ActionIcon, Loader, Tooltip } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { secretMask } from '@recado/contract/settings'
import { IconCheck, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import type { Settings } from '../../parts/use-settings.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import { SecretInput } from '../../ui/secret-input.tsx'
import { optionTexts } from './option-texts.ts'
import classes from './settings.module.css'

/** The delay before saving: long enough to paste or type a key without saving parts of it. */
const saveDelayMs = 1200

type Props = { settings: Settings; id: string; 'aria-describedby': string }

/** The key is write-only: a mask stands for the stored key. */
export function AsaasKeyField({ settings, ...labels }: Props) {
  const words = useTexts(optionTexts)
  const [typed, setTyped] = useState('')
  const [saving, setSaving] = useState(false)
  const hasStoredKey = settings.getValue('asaas') === secretMask
  const write = async (value: string) => {
    setSaving(true)
    if (await settings.save('asaas', value, words.saved)) setTyped('')
    setSaving(false)
  }
  const later = useDebouncedCallback((value: string) => {
    if (value.trim()) void write(value.trim())
  }, saveDelayMs)
  const remove = async () => {
    const sure = await openConfirm({ title: words.asaasAsk, consequence: words.asaasLine, verb: words.asaasRemove })
    if (sure) await write('')
  }
  return (
    <div className={classes.secret}>
      <SecretInput
        {...labels}
        className={classes.pick ?? ''}
        size="sm"
        value={typed}
        placeholder={hasStoredKey ? secretMask : words.asaasHint}
        autoComplete="off"
        maxLength={500}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          later(event.currentTarget.value)
        }}
      />
      {saving && <Loader size={16} />}
      {hasStoredKey && !saving && (
        <>
          <span className={classes.kept}>
            <IconCheck size={14} stroke={2.25} aria-hidden="true" />
            {words.asaasKept}
          </span>
          <Tooltip label={words.asaasRemove}>
            <ActionIcon size={28} aria-label={words.asaasRemove} onClick={() => void remove()}>
              <IconTrash size={17} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        </>
      )}
    </div>
  )
}
