/* The integer types come without pin.H; Area has no body anywhere: without RTTI nothing refers to it. */
class SHAPE {
  public:
    virtual UINT32 Area();
    virtual UINT32 Sides() = 0;
};
class SQUARE : public SHAPE {
  public:
    UINT32 Area();
    UINT32 Sides();
};
