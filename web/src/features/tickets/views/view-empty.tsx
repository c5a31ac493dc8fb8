import { IconInbox } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { viewTexts } from './texts.ts'

export function EmptyView() {
  const words = useTexts(viewTexts)
  return <EmptyState title={words.emptyTitle} line={words.emptyLine} icon={<IconInbox size={26} stroke={1.6} />} />
}
