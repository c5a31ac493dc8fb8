import { ActionIcon, Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { campaignConfirmationKeys, campaignMessageKeys, campaignsApi } from '@recado/contract/campaigns/campaigns'
import type { CampaignSettings } from '@recado/contract/campaigns/settings'
import { fillCampaignText } from '@recado/contract/campaigns/texts'
import { type Template, templatesApi } from '@recado/contract/cloud'
import { IconChevronLeft, IconChevronRight, IconFile, IconSend } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { renderTemplateText } from '../../../parts/conversation/templates/template-text.ts'
import { RichText } from '../../../parts/message/body/rich-text-view.tsx'
import { PhoneFrame } from '../../../parts/phone-frame.tsx'
import type { FileValue } from '../../../records/fields/field.ts'
import type { CampaignFormValues } from './campaign-form-values.ts'
import classes from './phone.module.css'
import type { SelectedText } from './selected-text.ts'
import { texts } from './texts.ts'

type Props = {
  values: CampaignFormValues
  settings: CampaignSettings
  selectedText: SelectedText
  /** On a line with the official API a template replaces the texts. */
  isOfficialApi: boolean
  onSendTest: (() => void) | undefined
}

/** The customer's phone: the current text as the first people of the list will see it. */
export function PhonePreviewPane({ values, settings, selectedText, isOfficialApi, onSendTest }: Props) {
  const words = useTexts(texts)
  const company = useSession().user?.company.name ?? ''
  const [at, setAt] = useState(0)
  const people = usePreviewPeople(values)
  const person = people[Math.min(at, people.length - 1)]
  const keys = selectedText.kind === 'message' || !values.confirmation ? campaignMessageKeys : campaignConfirmationKeys
  const written = values[keys[selectedText.n - 1] ?? 'message1']
  const template = useTemplateText(isOfficialApi ? values : null)
  const text = isOfficialApi ? template : written
  const reader = { nome: person?.name ?? words.somebody, numero: person?.number ?? '', email: '' }
  const read = fillCampaignText(text, settings.variables, reader)
  return (
    <div className={classes.pane}>
      <div className={classes.who}>
        <span>
          <small>{words.readsSo}</small>
          <strong>{person?.name ?? words.somebody}</strong>
        </span>
        {people.length > 1 && (
          <span>
            <ActionIcon aria-label={words.before} disabled={at === 0} onClick={() => setAt(at - 1)}>
              <IconChevronLeft size={18} stroke={1.75} />
            </ActionIcon>
            <ActionIcon aria-label={words.next} disabled={at >= people.length - 1} onClick={() => setAt(at + 1)}>
              <IconChevronRight size={18} stroke={1.75} />
            </ActionIcon>
          </span>
        )}
      </div>
      <PhoneFrame>
        <div className={classes.head}>{company}</div>
        <section className={classes.talk} aria-label={words.readsSo}>
          {read.trim() === '' && !values.media.file && !values.media.stored ? (
            <p className={classes.hint}>{isOfficialApi ? words.chooseTemplate : words.writeSomething}</p>
          ) : (
            <div className={classes.bubble}>
              {selectedText.kind === 'message' && <MediaPreview media={values.media} />}
              <RichText text={read} />
            </div>
          )}
        </section>
      </PhoneFrame>
      {onSendTest && (
        <div className={classes.test}>
          <Button variant="default" leftSection={<IconSend size={16} stroke={1.75} />} onClick={onSendTest}>
            {words.test}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The first people of the list. Variables are filled in here, so that the preview follows the typing. */
function usePreviewPeople(values: CampaignFormValues): { name: string; number: string }[] {
  const id = (of: string | null) => (of === null ? null : Number(of))
  const [asked] = useDebouncedValue({ contactListId: id(values.contactListId), tagId: id(values.tagId) }, 300)
  const query = useQuery({
    queryKey: ['campaign-people', asked],
    queryFn: ({ signal }) => callApi(campaignsApi.preview, { body: { ...asked, texts: [] } }, { signal }),
    enabled: asked.contactListId !== null || asked.tagId !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return query.data?.people ?? []
}

/** The text of the chosen template with its placeholders filled in. */
function useTemplateText(values: CampaignFormValues | null): string {
  const whatsappId = Number(values?.whatsappId)
  const query = useQuery({
    queryKey: ['templates', whatsappId],
    queryFn: ({ signal }) => callApi(templatesApi.list, { query: { whatsappId, refresh: false } }, { signal }),
    enabled: values !== null,
  })
  const chosen = values?.template
  const is = ({ name, language }: Template) => name === chosen?.name && language === chosen.language
  const template = chosen && query.data?.templates.find(is)
  return template ? renderTemplateText(template, chosen.variables) : ''
}

function MediaPreview({ media: { file, stored } }: { media: FileValue }) {
  const address = useImageUrl(file)
  const name = file?.name ?? stored?.name
  if (!name) return null
  const shown = address ?? (stored && /\.(jpe?g|png|webp|gif)$/i.test(stored.name) ? stored.url : null)
  if (shown) return <img className={classes.picture} src={shown} alt="" />
  return (
    <span className={classes.file}>
      <IconFile size={18} stroke={1.75} aria-hidden="true" />
      {name}
    </span>
  )
}

function useImageUrl(file: File | null): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!file?.type.startsWith('image/')) return setAddress(null)
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}
