import { useDebouncedCallback } from '@mantine/hooks'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { type Flow, flowsApi } from '@recado/contract/flows/flows'
import { topics } from '@recado/contract/live'
import { useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { ApiError, callApi } from '../../../../lib/api.ts'
import { useLiveTopic } from '../../../../lib/live.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { openConfirm } from '../../../../ui/confirm.tsx'
import { storablePart } from '../rule-draft.ts'
import { ruleEditorTexts } from './texts.ts'

/** The draft is saved this long after the last change. */
const saveDelayMs = 600

export type RuleDraft = { name: string; document: FlowDocument }
export type SaveState = 'saved' | 'unsaved' | 'saving' | 'failed' | 'conflict'

const draftOf = ({ name, draft }: Flow): RuleDraft => ({ name, document: draft })

/** The draft of a rule, which saves itself. Somebody else's change is not overwritten without a question. */
export function useRuleDraft(loaded: Flow) {
  const words = useTexts(ruleEditorTexts)
  const [flow, setFlow] = useState(loaded)
  const [draft, setDraft] = useState(() => draftOf(loaded))
  const [saveState, setSaveState] = useState<SaveState>('saved')
  const latest = useRef(draft)
  const saved = useRef(draft)
  const revision = useRef(loaded.revision)
  const isRefused = useRef(false)
  const last = useRef<Promise<boolean>>(Promise.resolve(true))

  const adopt = (next: Flow) => {
    revision.current = next.revision
    isRefused.current = false
    saved.current = latest.current = draftOf(next)
    setFlow(next)
    setDraft(latest.current)
    setSaveState('saved')
  }
  const saveOnce = async (): Promise<boolean> => {
    const current = latest.current
    if (isRefused.current) return false
    if (current === saved.current) return true
    setSaveState('saving')
    try {
      const body = {
        name: current.name.trim() || flow.name,
        document: storablePart(current.document),
        revision: revision.current,
      }
      const stored = await callApi(flowsApi.update, { params: { id: flow.id }, body })
      revision.current = stored.revision
      saved.current = current
      setFlow(stored)
      setSaveState(latest.current === current ? 'saved' : 'unsaved')
      return true
    } catch (error) {
      isRefused.current = error instanceof ApiError && error.code === 'ERR_FLOW_CHANGED'
      setSaveState(isRefused.current ? 'conflict' : 'failed')
      return false
    }
  }
  /** Saves what is not saved yet, one save after another. */
  const flush = (): Promise<boolean> => {
    last.current = last.current.then(saveOnce)
    return last.current
  }
  const saveLater = useDebouncedCallback(() => void flush(), saveDelayMs)
  const change = (part: Partial<RuleDraft>) => {
    latest.current = { ...latest.current, ...part }
    setDraft(latest.current)
    if (!isRefused.current) setSaveState('unsaved')
    saveLater()
  }
  const reload = () => callApi(flowsApi.show, { params: { id: flow.id } })

  useLiveTopic(topics.flows, async ({ flowIds }) => {
    if (!flowIds.includes(flow.id)) return
    // An own save is announced before its reply: wait for it.
    await last.current
    const theirs = await reload().catch(() => null)
    if (!theirs || latest.current !== saved.current) return
    if (theirs.revision === revision.current) setFlow(theirs)
    else adopt(theirs)
  })
  useBlocker({
    shouldBlockFn: async () =>
      !(await flush()) &&
      !(await openConfirm({ title: words.leave, consequence: words.leaveLine, verb: words.leaveVerb })),
    enableBeforeUnload: () => latest.current !== saved.current,
  })

  return {
    flow,
    draft,
    saveState,
    change,
    flush,
    adopt,
    revision: () => revision.current,
    takeTheirs: async () => adopt(await reload()),
    keepMine: async () => {
      revision.current = (await reload()).revision
      isRefused.current = false
      return flush()
    },
  }
}
