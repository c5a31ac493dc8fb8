import type { ReactNode } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { type Coordinates, formatCoordinates, parseLocationBody, splitNameAndAddress } from '../body/message-body.ts'
import { texts } from '../texts.ts'
import classes from './location-message.module.css'

export const LocationMessage = ({ body, children }: { body: string; children: ReactNode }) => (
  <LocationCard {...parseLocationBody(body)}>{children}</LocationCard>
)

type Props = { image?: string; link: string; name: string; point: Coordinates | null; children?: ReactNode }
/**
 * Shows the embedded picture, or a drawing: requesting a map would reveal customers' locations to the map service.
 * Opening a link is the user's own decision.
 */
export function LocationCard({ image, link, name: written, point, children }: Props) {
  const words = useTexts(texts)
  const where = point ? formatCoordinates(point) : ''
  // A location without a name has its coordinates as the name. They are left out here, because they are shown below.
  const [name, address] = splitNameAndAddress(
    point && written === `${point.latitude}, ${point.longitude}` ? '' : written,
  )
  const title = name || words.kinds.locationMessage
  return (
    <>
      {image ? <img className={classes.picture} src={image} alt={title} /> : <LocationDrawing point={point} />}
      <span className={classes.place}>
        <b>{title}</b>
        {address && <span className={classes.address}>{address}</span>}
        {where && <span className={classes.where}>{where}</span>}
        <span className={classes.links}>
          {link && (
            <a href={link} target="_blank" rel="noopener noreferrer">
              {words.openMap}
            </a>
          )}
          {point && (
            <a href={openStreetMap(point)} target="_blank" rel="noopener noreferrer">
              OpenStreetMap
            </a>
          )}
        </span>
        {children}
      </span>
    </>
  )
}

const openStreetMap = ({ latitude, longitude }: Coordinates) =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`

/** A drawing of fictional streets, a park and a river with a pin. It differs for each location. */
function LocationDrawing({ point }: { point: Coordinates | null }) {
  const aside = (degrees: number, room: number) => -Math.abs((degrees * 997) % 1) * room
  const [x, y] = point ? [aside(point.longitude, 128), aside(point.latitude, 88)] : [0, 0]
  return (
    <svg className={classes.drawn} viewBox="0 0 272 112" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <g transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`} fill="none" strokeLinecap="round">
        <rect className={classes.park} x="118" y="16" width="70" height="46" rx="8" />
        <rect className={classes.park} x="262" y="112" width="92" height="60" rx="10" />
        <path className={classes.river} d="M-10 150C60 120 90 176 160 150S300 70 420 96" strokeWidth="18" />
        <g className={classes.street}>
          <path
            d="M-10 74 410 40M-10 128 410 104M-10 22 410-12M-10 190 410 168M104-10 122 210M204-10 226 210M306-10 330 210M24-10 36 210"
            strokeWidth="7"
          />
          <path
            d="M64-10 78 210M154 66 168 210M256-10 276 210M360-10 378 210M-10 100 410 74M-10 48 104 38M226 18 410 2"
            strokeWidth="3"
          />
          <path d="M-10 170 410-20" strokeWidth="9" />
        </g>
      </g>
      <ellipse className={classes.shade} cx="136" cy="75" rx="9" ry="3" />
      <path className={classes.pin} d="M136 75c-11-14-16-21-16-29a16 16 0 0 1 32 0c0 8-5 15-16 29Z" />
      <circle className={classes.eye} cx="136" cy="46" r="6" />
    </svg>
  )
}
