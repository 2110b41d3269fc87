-- The service reads the parts of an upload only until it is a customer's document (policy document_parts_until_attached). The policy
-- asks document_uploads, which the service may update: it could take the customer's name off an upload, read the parts, and put it back,
-- unrecorded. An upload that is attached therefore stays so: as what it is, and for good. A trigger is the owner's, and the service's
-- role can't switch it off.
CREATE FUNCTION refuse_to_detach_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a document that is a customer''s stays it';
END $$;

CREATE TRIGGER attached_documents_stay_attached BEFORE UPDATE ON document_uploads FOR EACH ROW
  WHEN (OLD.attached_customer_id IS NOT NULL
    AND (NEW.attached_customer_id IS DISTINCT FROM OLD.attached_customer_id OR NEW.id <> OLD.id))
  EXECUTE FUNCTION refuse_to_detach_document();
CREATE TRIGGER attached_documents_are_kept BEFORE DELETE ON document_uploads FOR EACH ROW
  WHEN (OLD.attached_customer_id IS NOT NULL)
  EXECUTE FUNCTION refuse_to_detach_document();
