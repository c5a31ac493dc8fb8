/**
 * Loaded before another process, so that its client believes the service without knowing of it:
 * `LOCAL_WHATSAPP='<JSON of service.credentials>' node --import @recado/whatsapp/trusted …`
 */
import './silence-libsignal.ts'
import { trustService } from './credentials.ts'

if (process.env.LOCAL_WHATSAPP) trustService(JSON.parse(process.env.LOCAL_WHATSAPP))
