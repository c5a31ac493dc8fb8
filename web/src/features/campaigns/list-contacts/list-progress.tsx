import { Button, Progress } from '@mantine/core'
import { type ContactList, contactListsApi, type ImportProgress } from '@recado/contract/campaigns/contact-lists'
import { useMutation } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './list-contacts.module.css'
import { texts } from './texts.ts'

type Props = { list: ContactList; importProgress: ImportProgress | undefined; onImport: () => void }

/** Background work on the list: an import, or the check of its numbers. At most one progress row is shown. */
export function ListProgress({ list, importProgress, onImport }: Props) {
  const words = useTexts(texts)
  const { contactsCount, validCount, invalidCount } = list
  const checkedCount = validCount + invalidCount
  const checkAgain = useMutation({
    mutationFn: () => callApi(contactListsApi.check, { params: { id: list.id } }),
    onSuccess: () => toast.ok(words.checkingAgain),
    onError: (error) => toast.error(error),
  })
  if (importProgress)
    return (
      <ProgressLine
        label={words.importing(formatNumber(importProgress.done), formatNumber(importProgress.total))}
        share={importProgress.total > 0 ? importProgress.done / importProgress.total : 0}
      >
        <Button size="xs" variant="default" onClick={onImport}>
          {words.see}
        </Button>
      </ProgressLine>
    )
  if (contactsCount === 0 || (checkedCount >= contactsCount && invalidCount === 0)) return null
  const button = (
    <Button size="xs" variant="default" loading={checkAgain.isPending} onClick={() => checkAgain.mutate()}>
      {words.checkAgain}
    </Button>
  )
  if (checkedCount >= contactsCount)
    return <ProgressLine label={words.someInvalid(formatNumber(invalidCount))}>{button}</ProgressLine>
  return (
    <ProgressLine
      label={words.checking(formatNumber(checkedCount), formatNumber(contactsCount))}
      share={checkedCount / contactsCount}
    >
      {button}
    </ProgressLine>
  )
}

function ProgressLine({ label, share, children }: { label: string; share?: number; children: React.ReactNode }) {
  return (
    <div className={classes.line}>
      <span role="status">{label}</span>
      {share === undefined ? (
        <span className={classes.rest} />
      ) : (
        <Progress className={classes.rest ?? ''} value={share * 100} size="sm" aria-label={label} />
      )}
      {children}
    </div>
  )
}
