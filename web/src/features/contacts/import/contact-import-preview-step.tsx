import { Button, SegmentedControl, Switch } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from '../../../parts/spreadsheet/spreadsheet.module.css'
import { importTexts } from '../../../parts/spreadsheet/texts.ts'
import { ContactImportPreviewTable } from './contact-import-preview-table.tsx'
import { createImportPreview, type ImportPreview, importRowsOfPreview } from './use-contact-import.ts'

type Props = {
  preview: ImportPreview
  onChange: (preview: ImportPreview) => void
  onRestart: () => void
  onImport: () => void
}

/** The contents of the file, the meaning of each column, and how many rows can be imported. */
export function ContactImportPreviewStep({ preview, onChange, onRestart, onImport }: Props) {
  const words = useTexts(importTexts)
  const people = useMemo(() => importRowsOfPreview(preview), [preview])
  const wrong = people.filter((person) => person.wrong !== null)
  const ready = people.length - wrong.length
  const [only, setOnly] = useState<'all' | 'wrong'>('all')
  const unmapped = preview.mapping.number === null
  return (
    <>
      <div className={classes.summary}>
        <div className={classes.counts} role="status">
          <strong>{words.found(formatNumber(people.length))}</strong>
          <span data-kind="ok">
            <IconCircleCheck size={15} stroke={2} aria-hidden="true" />
            {words.ready(formatNumber(ready))}
          </span>
          {wrong.length > 0 && (
            <span data-kind="warn">
              <IconAlertTriangle size={15} stroke={2} aria-hidden="true" />
              {words.wrong(formatNumber(wrong.length))}
            </span>
          )}
          <span className={classes.fileName} title={preview.file}>
            {preview.file}
          </span>
        </div>
        <Switch
          label={words.headIsPerson}
          checked={preview.headless}
          onChange={(event) => onChange(createImportPreview(preview.file, preview.raw, event.currentTarget.checked))}
        />
      </div>
      <div className={classes.tools}>
        <p className={classes.columns} data-wrong={unmapped || undefined}>
          {unmapped ? words.noNumber : words.columns}
        </p>
        {wrong.length > 0 && ready > 0 && (
          <SegmentedControl
            aria-label={words.show}
            value={only}
            onChange={(value) => setOnly(value as 'all' | 'wrong')}
            data={[
              { value: 'all', label: words.all },
              { value: 'wrong', label: words.onlyWrong },
            ]}
          />
        )}
      </div>
      <ContactImportPreviewTable
        preview={preview}
        people={only === 'wrong' && wrong.length > 0 ? wrong : people}
        onMapping={(mapping) => onChange({ ...preview, mapping })}
      />
      <footer className={classes.foot}>
        <Button variant="default" onClick={onRestart}>
          {words.other}
        </Button>
        <span className={classes.rest} />
        <Button onClick={onImport} disabled={ready === 0} data-autofocus>
          {words.run(ready, formatNumber(ready))}
        </Button>
      </footer>
    </>
  )
}
