import type { IntegrationType } from '@recado/contract/integrations/integrations'
import type { ReactNode } from 'react'
import classes from './integrations.module.css'

/** Our own icons: a speech bubble, connected nodes, a frame with strokes, three hooks. */
const iconPaths: Record<IntegrationType, ReactNode> = {
  typebot: (
    <>
      <path d="M6 5h12a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-4l-3 3v-3H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2z" />
      <path d="M9 10v2M12 9v4M15 10v2" />
    </>
  ),
  n8n: (
    <>
      <circle cx="5" cy="12" r="2" />
      <circle cx="12" cy="12" r="2" />
      <circle cx="19" cy="7" r="2" />
      <circle cx="19" cy="17" r="2" />
      <path d="M7 12h3M13.6 10.8l3.7-2.7M13.6 13.2l3.7 2.7" />
    </>
  ),
  dialogflow: (
    <>
      <path d="M12 3l7.5 4.3v8.6L12 20.2l-7.5-4.3V7.3z" />
      <path d="M9 10.2h6M9 13.4h4" />
    </>
  ),
  webhook: (
    <>
      <circle cx="12" cy="7" r="2.4" />
      <circle cx="6.4" cy="16.6" r="2.4" />
      <circle cx="17.6" cy="16.6" r="2.4" />
      <path d="M10.9 9.2l-3.4 5.2M13.2 9.2l3.3 5.1M8.8 16.9h6.2" />
    </>
  ),
}

export function IntegrationIcon({ type, size = 36 }: { type: IntegrationType; size?: number }) {
  return (
    <span className={classes.mark} data-type={type} style={{ width: size, height: size }} aria-hidden="true">
      <svg
        width={size * 0.56}
        height={size * 0.56}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {iconPaths[type]}
      </svg>
    </span>
  )
}
