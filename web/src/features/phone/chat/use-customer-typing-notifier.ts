import { sandboxApi } from '@recado/contract/sandbox'
import { useEffect, useEffectEvent, useRef } from 'react'
import { callApi } from '../../../lib/api.ts'

/** How often typing is repeated: WhatsApp repeats "typing" every few seconds and lets it expire when typing stops. */
const repeatMs = 4000
const idleMs = 5000

/** Sends the start and end of this customer's typing to the desk. */
export function useCustomerTypingNotifier(line: number, from: string): (on: boolean) => void {
  const state = useRef({ on: false, told: 0, timer: undefined as ReturnType<typeof setTimeout> | undefined })
  const sendTyping = (typing: boolean) => {
    state.current.on = typing
    state.current.told = Date.now()
    // A lost typing event does not matter.
    callApi(sandboxApi.typing, { params: { whatsappId: line }, body: { from, typing } }).catch(() => undefined)
  }
  const stop = useEffectEvent(() => {
    clearTimeout(state.current.timer)
    if (state.current.on) sendTyping(false)
  })
  useEffect(() => () => stop(), [])
  return (on) => {
    if (!on) {
      clearTimeout(state.current.timer)
      if (state.current.on) sendTyping(false)
      return
    }
    clearTimeout(state.current.timer)
    state.current.timer = setTimeout(() => state.current.on && sendTyping(false), idleMs)
    if (!state.current.on || Date.now() - state.current.told > repeatMs) sendTyping(true)
  }
}
