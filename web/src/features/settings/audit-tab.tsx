import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { auditApi } from '@recado/contract/api-access/audit'
import { settingDefinitions } from '@recado/contract/settings'
import { fold } from '@recado/contract/text/fold'
import { IconDownload, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { downloadFile } from '../../lib/download.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { AuditList, type AuditQuery } from '../../parts/audit/audit-list.tsx'
import { DateField } from '../../records/fields/date-field.tsx'
import classes from './audit-tab.module.css'
import { auditTabTexts } from './audit-tab-texts.ts'
import { optionTexts } from './option-texts.ts'
import { wordingTexts } from './wording-texts.ts'

const auditKinds = [
  'login',
  'two-factor',
  'user',
  'line',
  'setting',
  'key',
  'webhook',
  'contact',
  'company',
  'export',
] as const
/** The same search delay as in other lists (spec, section 9). */
const searchDebounceMs = 500

/** The audit log: changes and logins, searchable and exportable, read-only. */
export function AuditTab() {
  const words = useTexts(auditTabTexts)
  const [kind, setKind] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const [searchParam] = useDebouncedValue(typed.trim(), searchDebounceMs)
  const [dateFrom, setFrom] = useState<string | null>(null)
  const [dateTo, setTo] = useState<string | null>(null)
  const named: Record<string, unknown> = { ...useTexts(optionTexts), ...useTexts(wordingTexts), ...words.others }
  const nameOf = (key: string) => String([named[key] ?? key].flat()[0])
  // The server searches settings by key, but users search by the label shown here.
  const sounds = (key: string) => fold(nameOf(key)).includes(fold(searchParam))
  const alike = [...Object.keys(settingDefinitions), ...Object.keys(words.others)].filter(sounds)
  const auditQuery: AuditQuery = {
    ...(kind && { deed: kind }),
    ...(searchParam && { searchParam, named: alike.join(',') }),
    ...(dateFrom && { dateFrom }),
    ...(dateTo && { dateTo }),
  }
  const [saving, setSaving] = useState(false)
  const save = async () => {
    setSaving(true)
    try {
      downloadFile(words.file, await callApi(auditApi.export, { query: auditQuery }))
    } catch (error) {
      toast.error(error)
    }
    setSaving(false)
  }
  return (
    <div className={classes.tab}>
      <p className={classes.line}>{words.line}</p>
      <div className={classes.bar}>
        <TextInput
          className={classes.search ?? ''}
          aria-label={words.search}
          placeholder={words.search}
          leftSection={<IconSearch size={16} stroke={1.75} />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Select
          aria-label={words.kind}
          placeholder={words.all}
          data={auditKinds.map((value) => ({ value, label: words.kinds[value] }))}
          value={kind}
          onChange={setKind}
          clearable
        />
        <DateField aria-label={words.from} placeholder={words.from} value={dateFrom} onChange={setFrom} />
        <DateField aria-label={words.to} placeholder={words.to} value={dateTo} onChange={setTo} />
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.75} />}
          loading={saving}
          onClick={() => void save()}
        >
          {words.save}
        </Button>
      </div>
      <div className={classes.entries}>
        <AuditList
          query={auditQuery}
          settingName={nameOf}
          {...(Object.keys(auditQuery).length > 0 && { emptyText: words.nothing })}
        />
      </div>
    </div>
  )
}
