import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core'
import type { FlowTrigger } from '@recado/contract/flows/flow-triggers'
import { type Flow, flowsApi } from '@recado/contract/flows/flows'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { callApi } from '../../../../lib/api.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { toast } from '../../../../lib/toast.ts'
import { openConfirm } from '../../../../ui/confirm.tsx'
import { useCopyText } from '../../../../ui/use-copy-text.ts'
import classes from './hook.module.css'
import { hookTexts } from './hook-texts.ts'
import { KeptParts } from './kept-parts.tsx'

type HookTrigger = Extract<FlowTrigger, { kind: 'hook' }>
type Props = {
  flow: Pick<Flow, 'id' | 'hasHook'>
  trigger: HookTrigger
  onChange: (trigger: HookTrigger) => void
}

/** The address that a program calls, and what is kept of what it sends. */
export function HookDetails({ flow, trigger, onChange }: Props) {
  const words = useTexts(hookTexts)
  const [hasAddress, setHasAddress] = useState(flow.hasHook)
  /** Only the server's answer to a new address has it. */
  const [address, setAddress] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const params = { id: flow.id }
  const run = async (work: () => Promise<void>) => {
    setIsBusy(true)
    try {
      await work()
    } catch (error) {
      toast.error(error)
    } finally {
      setIsBusy(false)
    }
  }
  const create = () =>
    run(async () => {
      const { url } = await callApi(flowsApi.setHook, { params })
      setAddress(url)
      setHasAddress(true)
    })
  const replace = async () => {
    const question = { title: words.replaceAsk, consequence: words.replaceLine, verb: words.replace }
    if (await openConfirm(question)) await create()
  }
  const remove = async () => {
    const question = { title: words.removeAsk, consequence: words.removeLine, verb: words.remove }
    if (!(await openConfirm(question))) return
    await run(async () => {
      await callApi(flowsApi.removeHook, { params })
      setAddress(null)
      setHasAddress(false)
    })
  }
  return (
    <div className={classes.hook}>
      {address && <NewAddress address={address} />}
      {!address && <p className={classes.help}>{hasAddress ? words.hasAddress : words.noAddress}</p>}
      <span className={classes.buttons}>
        {!hasAddress && (
          <Button size="compact-sm" variant="default" loading={isBusy} onClick={() => void create()}>
            {words.create}
          </Button>
        )}
        {hasAddress && (
          <>
            <Button size="compact-sm" variant="default" disabled={isBusy} onClick={() => void replace()}>
              {words.replace}
            </Button>
            <Button size="compact-sm" variant="subtle" color="red" disabled={isBusy} onClick={() => void remove()}>
              {words.remove}
            </Button>
          </>
        )}
      </span>
      <p className={classes.help}>{words.keptHelp}</p>
      <KeptParts parts={trigger.keep} onChange={(keep) => onChange({ ...trigger, keep })} />
    </div>
  )
}

function NewAddress({ address }: { address: string }) {
  const words = useTexts(hookTexts)
  const { wasCopied, copy } = useCopyText(address)
  return (
    <>
      <span className={classes.address}>
        <TextInput
          size="xs"
          className={classes.text ?? ''}
          aria-label={words.address}
          value={address}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
        <Tooltip label={wasCopied ? words.copied : words.copy}>
          <ActionIcon variant="default" size={30} aria-label={words.copy} onClick={copy}>
            {wasCopied ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.75} />}
          </ActionIcon>
        </Tooltip>
      </span>
      <p className={classes.help}>{words.shownOnce}</p>
    </>
  )
}
