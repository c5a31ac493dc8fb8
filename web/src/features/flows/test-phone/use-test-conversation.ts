import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { maxTestEntries, type TestEntry, type TestScene } from '@recado/contract/flows/flow-tests'
import { simulateFlow } from '@recado/contract/flows/simulate-flow'
import { useMemo, useState } from 'react'
import { currentLanguage } from '../../../lib/texts.ts'

const firstScene = (names: Record<TestScene['language'], string>): TestScene => {
  const language = currentLanguage()
  return { name: names[language], language, isOpen: true, tagIds: [], callsFail: false, values: {} }
}

/**
 * A conversation with the draft. Every change of the draft plays it again; what was written after its new end is
 * forgotten with the next message.
 */
export function useTestConversation(document: FlowDocument, names: Record<TestScene['language'], string>) {
  const [scene, setScene] = useState(() => firstScene(names))
  const [entries, setEntries] = useState<TestEntry[]>([])
  const simulation = useMemo(() => simulateFlow(document, scene, entries), [document, scene, entries])
  const played = entries.slice(0, simulation.played)
  return {
    scene,
    setScene,
    simulation,
    /** The entries that the draft still plays. */
    played,
    isFull: played.length >= maxTestEntries,
    add: (entry: TestEntry) => setEntries([...played, entry]),
    restart: () => setEntries([]),
  }
}
