import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import type { MessageHandlers } from '../../message/message-context.ts'
import { flashMessage } from './flash-message.ts'
import { threadTexts } from './texts.ts'
import type { ThreadView } from './use-thread-view.ts'

/** Loads older pages up to a message and scrolls to the message as soon as it is rendered. */
export function useJumpToMessage({ loadUntil: reach, items, scroll }: ThreadView) {
  const words = useTexts(threadTexts)
  const [jumpTarget, setJumpTarget] = useState<{ id: string; quietly: boolean } | null>(null)
  const go = useEffectEvent(({ id, quietly }: { id: string; quietly: boolean }) => {
    if (!scroll.scrollToMessage(id)) return
    setJumpTarget(null)
    flashMessage(scroll.rowsRef.current, id, quietly)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows it waits for come with the items
  useLayoutEffect(() => {
    if (jumpTarget !== null) go(jumpTarget)
  }, [jumpTarget, items])
  // `quietly`: the focus stays where the caller has it.
  return async (id: string, { quietly = false } = {}): Promise<void> => {
    if (await reach(id)) setJumpTarget({ id, quietly })
    else toast.info(words.notFound)
  }
}

/** Opens a thread at a message. It waits for the unread position, which would otherwise scroll away again. */
export function useOpenAtMessage(
  { openedAt }: ThreadView,
  { jump: jumpTo }: MessageHandlers,
  at?: string,
  onLanded?: () => void,
): void {
  const land = useEffectEvent((id: string) => {
    jumpTo(id)
    onLanded?.()
  })
  useEffect(() => {
    if (openedAt && at) land(at)
  }, [openedAt, at])
}
