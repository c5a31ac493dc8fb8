import { messagesApi } from '@recado/contract/messages'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { useSettings } from '../../use-settings.ts'
import { useNearViewport } from '../media/use-near-viewport.ts'
import classes from './link-preview.module.css'

/** The title of a linked page. Requested when the message is near the screen; a page that cannot be read shows nothing. */
export function LinkPreview({ messageId, link }: { messageId: string; link: string }) {
  const [element, isNear] = useNearViewport<HTMLSpanElement>()
  const isEnabled = useSettings().getValue('linkPreviews') === 'enabled'
  const { data } = useQuery({
    queryKey: ['link-preview', messageId, link],
    queryFn: ({ signal }) => callApi(messagesApi.preview, { params: { id: messageId } }, { signal }),
    enabled: isEnabled && isNear,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    // The preview is not retried, because the conversation works without it.
    retry: false,
  })
  if (!isEnabled || !data?.preview) return <span ref={element} />
  const { title, description, host } = data.preview
  return (
    <a className={classes.card} href={link} target="_blank" rel="noopener noreferrer nofollow">
      <b>{title}</b>
      {description && <span>{description}</span>}
      <small dir="ltr">{host}</small>
    </a>
  )
}
