import { useTexts } from '../../../lib/texts.ts'
import { AuditList } from '../../../parts/audit/audit-list.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { useDelayedOpen } from '../../../ui/use-delayed-open.ts'
import { keyTexts } from './texts.ts'

const keyAuditQuery = { deed: 'key' }

/** Who created and revoked keys. All other actions are in the audit log of the settings. */
export function KeyHistory({ onClose }: { onClose: () => void }) {
  const words = useTexts(keyTexts)
  return (
    <Sheet opened={useDelayedOpen(true)} onClose={onClose} title={words.history} size={480}>
      <AuditList query={keyAuditQuery} />
    </Sheet>
  )
}
